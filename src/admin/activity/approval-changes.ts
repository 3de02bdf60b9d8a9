// The changes of a proposal, object by object, for the person who decides on it. They are shown on the page of the proposal, and on
// the page that shows several before they are accepted.

import type { AnswerOf } from '../../actions/call/call-action.ts'
import { proposals } from '../../actions/proposals/index.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { get } from '../page.ts'
import { comparedViews } from '../parts/compared-views.ts'
import { changesOf } from '../parts/difference.ts'
import { type NamedIds, namedIds } from '../parts/named-ids.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'
import { stepWords } from './proposal-words.ts'

/** A proposal with all the changes that its calls would make. */
export type ShownProposal = AnswerOf<typeof proposals.get.output>['item']

interface Change {
  readonly id: string
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

export const getShown = async (visit: SignedIn, id: string): Promise<ShownProposal> =>
  (await get(visit, proposals.get, { id }, {}, { longAnswer: true })).item

/**
 * Shows the notices, the note and the changes of a proposal.
 * @param of id of the heading of the proposal, if a page shows several
 */
export async function shownChanges(visit: SignedIn, item: ShownProposal, of?: string): Promise<Html> {
  const { t } = visit
  const panel = async (name: string, title: MessageKey, diff: readonly Change[], shown?: ShownProposal) => {
    const id = of === undefined ? name : `${of}-${name}`
    return html`<section class="panel" aria-labelledby="${of === undefined ? id : `${of} ${id}`}">
      <h2 id="${id}">${t(title)}</h2>
      ${await changes(visit, diff, shown)}
      ${shown?.truncated === true && html`<p class="quiet">${t('activity.first_differences')}</p>`}
    </section>`
  }
  const earlier = item.proposed_diff as readonly Change[] | null
  return html`${item.state === 'waiting' && notices(visit, item)} ${item.note !== null && html`<p>${item.note}</p>`}
  ${await panel('changes', 'activity.what_it_changes', item.diff as readonly Change[], item)}
  ${earlier !== null && (await panel('proposed', 'activity.what_was_proposed', earlier))}`
}

/** The steps of a proposal of several calls, in their order. @param of as of `shownChanges` */
export function stepsPanel(visit: SignedIn, { steps }: Pick<ShownProposal, 'steps'>, of?: string): HtmlValue {
  const id = of === undefined ? 'steps' : `${of}-steps`
  return (
    steps.length > 1 &&
    html`<section class="panel" aria-labelledby="${of === undefined ? id : `${of} ${id}`}">
      <h2 id="${id}">${visit.t('activity.steps')}</h2>
      <ol>
        ${steps.map((step) => html`<li>${stepWords(visit, step)}</li>`)}
      </ol>
    </section>`
  )
}

function notices({ t }: SignedIn, { stale, problem, ended }: ShownProposal): HtmlValue {
  const strong = (key: MessageKey) => ({ strong: html`<strong>${t(key)}</strong>` })
  return html`${stale && html`<p class="notice warn" role="note">${t.rich('activity.stale', strong('activity.stale_strong'))}</p>`}
  ${ended && html`<p class="notice warn" role="note">${t.rich('activity.ended', strong('activity.ended_strong'))}</p>`}
  ${problem !== null && html`<p class="notice warn" role="note"><strong>${t('activity.would_fail')}</strong> ${problem}</p>`}`
}

/** The objects that change, each below its name: its page, and its fields. */
async function changes(visit: SignedIn, diff: readonly Change[], item?: ShownProposal): Promise<Html> {
  const named = await namedIds(visit, [...diff, ...diff.map(({ id }) => ({ before: id }))])
  const ids = [...new Set(diff.map(({ id }) => id))]
  if (ids.length === 0) return changesOf(diff, visit, named)
  // The proposer chose the heading of the page, so the object is named even if there is only one.
  return html`${ids.map((id, place) => {
    const rows = diff.filter((row) => row.id === id)
    return html`<h3>${nameOf(diff, id, named)}</h3>
      ${(place < maxPages && item && pageOf(visit, item, id, rows, named)) || changesOf(rows, visit, named)}`
  })}`
}

/** The most entries that are shown as pages. Further ones are shown as differences alone. */
const maxPages = 20

/** An entry as a page before and after, with its other fields below; undefined for another object. */
function pageOf(
  visit: SignedIn,
  { id: proposal, digest, pages = [] }: ShownProposal,
  id: string,
  rows: readonly Change[],
  named: NamedIds,
): Html | undefined {
  const place = pages.findIndex((page) => page.id === id)
  const sides = pages[place]
  if (!sides || digest === null) return undefined
  const [texts, others] = [rows.filter(isText), rows.filter((row) => !isText(row))]
  const source = texts.length === 0 ? undefined : changesOf(texts, visit, named)
  const compared = { proposal, place, digest }
  return html`${comparedViews(visit, { compared, sides, source, name: id })}
  ${others.length > 0 && changesOf(others, visit, named)}`
}

const isText = ({ field }: Change): boolean => /^(?:staged\.)?body$/.test(field)

/** The fields that may hold the name of an object. */
const nameFields: readonly string[] = ['title', 'name', 'filename', 'from', 'path', 'slug']

/** Returns the current name of an object, or the name that a new object would get. */
function nameOf(diff: readonly Change[], id: string, named: NamedIds): string {
  const known = named.get(id)
  if (typeof known === 'string') return known
  const rows = diff.filter((row) => row.id === id)
  const names = nameFields.flatMap((field) => {
    const row = rows.find((one) => one.field === field)
    const name = row?.before ?? row?.after
    return typeof name === 'string' && name !== '' ? [name] : []
  })
  return names[0] ?? id
}
