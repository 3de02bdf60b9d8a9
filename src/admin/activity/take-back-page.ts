// Undoing one change, a stretch of work, or everything of one author since a time. The page first shows what would be undone, and
// which later work would be lost. The button then says how many changes it undoes.

import type { AnswerOf, InputOf } from '../../actions/call/call-action.ts'
import type { ActivityItem } from '../../actions/activity/record-item.ts'
import { activity } from '../../actions/activity/index.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { mayRun } from '../navigation.ts'
import { get, notYours, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { changesByObject } from '../parts/difference.ts'
import { fieldName } from '../parts/field-names.ts'
import { namedIds, type NamedIds } from '../parts/named-ids.ts'
import { lineList, panel } from '../parts/panel.ts'
import { linkButton, pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { authorOf, isUndo, whatOf } from './record-parts.ts'
import { framedReply } from '../framed-reply.ts'
import { formTaker, postForm, type Work } from '../parts/post-form.ts'

type Asked = InputOf<typeof activity.undo.input>
type Undone = AnswerOf<typeof activity.undo.output>

/** The result of a dry run. */
interface Trial {
  readonly answer: Undone
  /** True if the undo needs `force`, because later work would be lost or something can't be undone. */
  readonly force: boolean
}

/** GET; `ids`, or `since` with `by` or `token`. */
export async function showUndo(visit: SignedIn): Promise<Reply> {
  if (!mayRun(visit, activity.undo)) throw notYours(visit)
  const { query } = visit.request
  const asked = askedOf((name) => query.get(name) ?? '')
  return undoReply(visit, asked)
}

/** Reads the ids, which the address and the form separate by commas. */
function askedOf(read: (name: string) => string): Asked {
  const ids = read('ids')
    .split(',')
    .filter((id) => id !== '')
  if (ids.length > 0) return { ids }
  const given = ['since', 'by', 'token'].map((name) => [name, read(name)] as const).filter(([, value]) => value !== '')
  return Object.fromEntries(given)
}

async function tryOut(visit: SignedIn, asked: Asked): Promise<Trial | Failure> {
  const plain = await run(visit, activity.undo, asked, { dryRun: true })
  if (plain.data) return { answer: plain.data, force: false }
  if (plain.failure.code !== 'conflict') return plain.failure
  const forced = await run(visit, activity.undo, { ...asked, force: true }, { dryRun: true })
  return forced.data ? { answer: forced.data, force: true } : plain.failure
}

async function undoReply(visit: SignedIn, asked: Asked, failed?: Failure): Promise<Reply> {
  const trial = await tryOut(visit, asked)
  const failure = trial instanceof Failure ? trial : failed
  const items = trial instanceof Failure ? [] : await recordsOf(visit, trial.answer)
  const { t } = visit
  const redoes = items.length > 0 && items.every(isUndo)
  const title = t(redoes ? 'activity.redo' : 'activity.undo')
  const body = html`${pageHead(title, t('activity.trial_lead'), linkButton(visit, adminPaths.activity, 'activity.all'))}
  ${trial instanceof Failure ? undefined : trialPart(visit, asked, trial, items, redoes, await namedIds(visit, trial.answer.diff ?? []))}`
  return framedReply(visit, { title, body }, { failure })
}

const doneCount = ({ done, counts }: Undone): number => counts?.done ?? done.length

/** Returns the records of a dry run, and the records that it skips, so that the page can name them. */
async function recordsOf(visit: SignedIn, { done, skipped }: Undone): Promise<readonly ActivityItem[]> {
  const ids = [...new Set([...done, ...skipped.map(({ id }) => id)])]
  if (ids.length === 0) return []
  return (await get(visit, activity.list, { where: { id: { in: ids } }, limit: 100 })).items
}

function trialPart(
  visit: SignedIn,
  asked: Asked,
  { answer, force }: Trial,
  items: readonly ActivityItem[],
  redoes: boolean,
  named: NamedIds,
): Html {
  const { t } = visit
  const taken = items.filter(({ id }) => answer.done.includes(id))
  const count = doneCount(answer)
  if (count === 0)
    return html`<p class="notice" role="note">${t('activity.nothing_to_undo')}</p>
      ${skippedPart(visit, answer, items)}`
  const lines = lineList(
    taken.map((item) => html`${whatOf(visit, item)} <small>${authorOf(visit, item)}, ${shownTime(visit, item.at)}</small>`),
  )
  const more = count > taken.length && html`<p class="quiet">${t('activity.more_changes', { count: count - taken.length })}</p>`
  return html`${lostPart(visit, answer, items)}
    ${panel('taken', html`${t(redoes ? 'activity.would_redo' : 'activity.would_undo')} <span class="count">${count}</span>`, html`${lines} ${more}`)}
    ${skippedPart(visit, answer, items)}
    <details class="panel">
      <summary>${t('activity.the_differences')}</summary>
      ${changesByObject(answer.diff ?? [], (id) => titleOf(items, id), visit, named)}
      ${answer.truncated === true && html`<p class="quiet">${t('activity.first_differences')}</p>`}
    </details>
    ${undoForm(visit, asked, answer, force, redoes)}`
}

const titleOf = (items: readonly ActivityItem[], id: string): string | undefined =>
  items.flatMap(({ objects }) => objects).find((object) => object.id === id)?.title ?? undefined

/** The later work that the undo would overwrite. */
function lostPart(visit: SignedIn, { overwritten = [] }: Undone, items: readonly ActivityItem[]): HtmlValue {
  const lines = overwritten.map(
    ({ id, fields, changes }) =>
      html`<span
          ><strong>${titleOf(items, id) ?? id}</strong>:
          ${fields.map((field) => fieldName(visit.t, visit.site.types.current.all, field)).join(', ')}</span
        >
        <small>${changes.map(({ by, at }, place) => html`${place > 0 ? '; ' : ''}${by}, ${shownTime(visit, at)}`)}</small>`,
  )
  return lines.length > 0 && panel('lost', visit.t('activity.lost'), lineList(lines), 'panel attention')
}

function skippedPart(visit: SignedIn, { skipped }: Undone, items: readonly ActivityItem[]): HtmlValue {
  const named = (id: string): HtmlValue => {
    const item = items.find((one) => one.id === id)
    return item ? whatOf(visit, item) : id
  }
  const lines = skipped.map(({ id, reason }) => html`${named(id)} <small>${visit.t.said(reason)}</small>`)
  return lines.length > 0 && panel('skipped', visit.t('activity.stays'), lineList(lines))
}

function undoForm(visit: SignedIn, asked: Asked, answer: Undone, force: boolean, redoes: boolean): Html {
  const { t } = visit
  // The records that were shown, without any newer ones. Of very many records the page shows only the first, so their form repeats
  // the question of the address.
  const exact: Asked = answer.counts === undefined ? { ids: answer.done } : asked
  const { ids = [], ...others } = exact as { readonly ids?: readonly string[] } & Readonly<Record<string, string>>
  const lost = answer.overwritten?.length ?? 0
  const what = t(redoes ? 'activity.do_redo' : 'activity.do_undo', { count: doneCount(answer) })
  return postForm(visit, {
    path: adminPaths.undo,
    purpose: 'take-back',
    hidden: { ids: ids.length > 0 ? ids.join(',') : undefined, ...others, force: force ? 'yes' : undefined },
    body: html`<p class="actions">
      <button class="${lost > 0 ? 'danger' : 'primary'}">
        ${lost > 0 ? t('activity.and_lose', { what, count: lost }) : what}
      </button>
    </p>`,
  })
}

const undo: Work = async (visit, fields) => {
  const asked = askedOf((name) => fields.get(name))
  const { data, failure } = await run(visit, activity.undo, fields.has('force') ? { ...asked, force: true } : asked)
  if (failure) return undoReply(visit, asked, failure)
  return goDone(visit, adminPaths.activity, 'activity.done_undone', data.done.length)
}

export const undoChanges = formTaker('take-back', undo)
