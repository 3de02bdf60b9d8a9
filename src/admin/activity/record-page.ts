// One change: who made it, and each object before and after.

import type { ActivityItem } from '../../actions/activity/record-item.ts'
import { activity } from '../../actions/activity/index.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { about, callWord, doneWord } from '../action-words.ts'
import { mayRun } from '../navigation.ts'
import { get } from '../page.ts'
import { changesByObject } from '../parts/difference.ts'
import { namedIds } from '../parts/named-ids.ts'
import { factList } from '../parts/facts.ts'
import { panel } from '../parts/panel.ts'
import { linkButton, pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { objectTitle } from '../parts/object-link.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { doorWords, isUndo, makerWord, recordPath, undoPath, titlesOf } from './record-parts.ts'
import { undoableIds } from './stretches.ts'
import { framedReply } from '../framed-reply.ts'

export async function recordReply(visit: SignedIn, id: string): Promise<Reply> {
  const { item } = await get(visit, activity.get, { id })
  const { t } = visit
  const [undoable] = mayRun(visit, activity.undo) ? undoableIds([item]) : []
  const title = titleOf(visit, item)
  const facts = factList({
    [t('activity.when')]: shownTime(visit, item.at),
    [t('activity.by')]: makerWord(t, item.by),
    [t('activity.token_or_app')]: item.token_name,
    [t('activity.accepted_by_label')]: item.accepted_by,
    [t('activity.through')]: t(doorWords[item.door]),
    [t('activity.address')]: item.address,
    [t('activity.changed')]: titlesOf(visit, item),
    [t('activity.action')]: callWord(visit, item.call),
    [t('activity.undoable')]: item.effect === 'write' ? undefined : t('activity.not_undoable'),
  })
  const titleIn = (object: ActivityItem['objects'][number] | undefined) => object && objectTitle(object, t)
  const nameOf = (object: string) => titleIn(item.objects.find(({ id: one }) => one === object))
  const changes = changesByObject(item.diff, nameOf, visit, await namedIds(visit, item.diff))
  const body = html`${pageHead(
    title,
    undefined,
    html`${linkButton(visit, adminPaths.activity, 'activity.all')}
    ${undoable !== undefined && html`<a class="button" href="${undoPath(visit, [undoable])}">${t(isUndo(item) ? 'activity.redo_asks' : 'activity.undo_asks')}</a>`}`,
  )}
  ${
    item.undone_by !== null &&
    html`<p class="notice" role="note">
      ${t.rich('activity.record_taken_back', {
        how: html`<a href="${recordPath(visit, item.undone_by)}">${t('activity.see_how')}</a>`,
        redo: html`<a href="${undoPath(visit, [item.undone_by])}">${t('activity.redo_it')}</a>`,
      })}
    </p>`
  }
  ${panel('facts', t('activity.facts'), facts)}
  ${panel('changes', t('activity.what_changed'), html`${changes} ${item.truncated && html`<p class="quiet">${t('activity.more_than_fits')}</p>`}`)}
  ${inputPart(visit, item.input)}`
  return framedReply(visit, { title, body })
}

/** Returns what was done, with the object if there was exactly one. */
function titleOf(visit: SignedIn, item: Pick<ActivityItem, 'objects' | 'call' | 'summary' | 'accepted_by'>): string {
  const [first, ...others] = item.objects
  const named = others.length === 0 && first ? objectTitle(first, visit.t) : undefined
  const title = named ? visit.t('activity.quoted', { text: named }) : undefined
  return about(doneWord(visit, item), title).replaceAll('`', '')
}

const inputPart = ({ t }: SignedIn, input: Readonly<Record<string, unknown>>): Html =>
  html`<details>
    <summary>${t('activity.call')}</summary>
    <pre
      tabindex="0"
      role="region"
      aria-label="${t('activity.the_call')}"
    ><code>${JSON.stringify(input, undefined, 2)}</code></pre>
  </details>`
