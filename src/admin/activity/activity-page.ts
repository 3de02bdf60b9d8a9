// Activity: who changed what, grouped by author and stretch of work. The page can undo a change or a whole stretch.

import type { ActivityItem } from '../../actions/activity/record-item.ts'
import { activity } from '../../actions/activity/index.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { mayRun } from '../navigation.ts'
import { run } from '../page.ts'
import { type ListAddress, listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { emptyState, pageHead } from '../parts/table.ts'
import { shownSpan, shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { askedOf, filterForm, filterNames } from './filters.ts'
import { authorOf, doorWords, isUndo, recordPath, undoPath, whatOf } from './record-parts.ts'
import { recordReply } from './record-page.ts'
import { type Stretch, stretchesOf, undoableIds } from './stretches.ts'
import { framedReply } from '../framed-reply.ts'

/** GET; `id` shows one change, the other parameters filter the list. */
export async function showActivity(visit: SignedIn): Promise<Reply> {
  const id = visit.request.query.get('id')
  return id === null ? listReply(visit) : recordReply(visit, id)
}

async function listReply(visit: SignedIn): Promise<Reply> {
  const address = listAddress(visit.request, adminPaths.activity)
  const [filters, { data, failure }] = await Promise.all([
    filterForm(visit, address),
    run(visit, activity.list, askedOf(address)),
  ])
  const { t } = visit
  const stretches = stretchesOf(data?.items ?? [])
  const body = html`${pageHead(t('shell.activity'), t('activity.lead'))} ${filters}
  ${data && (stretches.length === 0 ? nothing(visit, address) : html`${undoAllLink(visit, address, data.items[0])} ${stretches.map((one) => stretchPart(visit, one))}`)}
  ${data && pagerOf(address.with({}), data.next_cursor, t)}`
  return framedReply(visit, { title: t('shell.activity'), body }, { failure })
}

const nothing = ({ request, t }: SignedIn, address: ListAddress): Html =>
  ['search', ...filterNames].some((name) => address.get(name) !== undefined)
    ? html`<p class="quiet">
        ${t('activity.no_match')} <a href="${linkTo(request, adminPaths.activity)}">${t('activity.show_all')}</a>
      </p>`
    : emptyState(t('activity.empty'), t('activity.empty_help'))

/**
 * The link that undoes everything that the chosen person, token or app did since the chosen day, such as an app's work of one
 * afternoon. Without a chosen day, it is the day of the newest change.
 */
function undoAllLink(visit: SignedIn, address: ListAddress, newest: ActivityItem | undefined): HtmlValue {
  const [from, by, token] = ['from', 'by', 'token'].map((name) => address.get(name))
  const since = from ?? newest?.at.slice(0, 10)
  if (since === undefined || (by === undefined && token === undefined) || !mayRun(visit, activity.undo)) return undefined
  const query = new URLSearchParams({ since, ...(by === undefined ? {} : { by }), ...(token === undefined ? {} : { token }) })
  const href = `${linkTo(visit.request, adminPaths.undo)}?${query.toString()}`
  return html`<p class="actions"><a class="button" href="${href}">${visit.t('activity.undo_since', { since })}</a></p>`
}

function stretchPart(visit: SignedIn, { newest, items }: Stretch): Html {
  const { t } = visit
  const oldest = items.at(-1) ?? newest
  const when = shownSpan(visit, oldest.at, newest.at)
  const ids = mayRun(visit, activity.undo) ? undoableIds(items) : []
  const heading = `s-${newest.id}`
  const accepted = acceptorOf(items)
  return html`<section class="panel stretch" aria-labelledby="${heading}">
    <div class="page-head">
      <div>
        <h2 id="${heading}">${authorOf(visit, { ...newest, accepted_by: accepted })}</h2>
        <p class="quiet">${t.rich('activity.stretch', { count: items.length, door: t(doorWords[newest.door]), when })}</p>
      </div>
      ${ids.length > 1 && html`<p class="actions"><a class="button" href="${undoPath(visit, ids)}">${t('activity.undo_all', { count: ids.length })}</a></p>`}
    </div>
    <ul class="lines">
      ${items.map((item) => changeLine(visit, item, item.accepted_by === accepted ? null : item.accepted_by))}
    </ul>
  </section>`
}

/** The person who accepted all changes of a stretch; null if there are several ways. What was only proposed doesn't count. */
function acceptorOf(items: readonly ActivityItem[]): string | null {
  const found = new Set(items.flatMap((item) => (item.effect === 'write' ? [item.accepted_by] : [])))
  const [only = null] = found
  return found.size === 1 ? only : null
}

/** @param accepted the person who accepted the change, if the heading of the stretch doesn't say it */
function changeLine(visit: SignedIn, item: ActivityItem, accepted: string | null): Html {
  const { t } = visit
  const [id] = mayRun(visit, activity.undo) ? undoableIds([item]) : []
  return html`<li>
    ${whatOf(visit, item)}
    <span class="side">
      ${accepted !== null && html`<span class="quiet">${t('activity.accepted_by_person', { by: accepted })}</span>`}
      ${item.undone_by !== null && html`<span class="badge">${t('activity.taken_back')}</span>`}
      <a href="${recordPath(visit, item.id)}"
        >${shownTime(visit, item.at)}<span class="unseen">, ${t('activity.differences')}</span></a
      >
      ${id !== undefined && html`<a href="${undoPath(visit, [id])}">${t(isUndo(item) ? 'activity.redo' : 'activity.undo')}<span class="unseen">: ${t('activity.this_change')}</span></a>`}
    </span>
  </li>`
}
