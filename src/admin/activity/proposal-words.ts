// The effect of a proposal in the reader's language. The stored title is for the API, in English.

import { type BatchCall, nameOf } from '../../actions/api/batch-plan.ts'
import { callsOf, type ProposalStep } from '../../actions/proposals/proposal-item.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import { isMadeTitle, proposalClause } from '../../actions/call/proposing.ts'
import { clauseOf } from '../../actions/call/action.ts'
import { about, wordOf } from '../action-words.ts'
import type { SignedIn, Visit } from '../visit.ts'

/**
 * Returns the title of a proposal: its own title, or else the effect of its first action.
 * @param calls the calls of the proposal, in order
 */
export function proposalWords({ site, t }: Pick<Visit, 'site' | 't'>, title: string, calls: readonly BatchCall[]): string {
  const [first, ...others] = calls
  const name = first ? nameOf(first) : ''
  const action = site.registry.find(name)
  const clause = proposalClause(site.registry, name)
  if (!action || !isMadeTitle(site.registry, title, calls)) return title
  const more = `, and ${others.length} more`
  const whole = others.length > 0 && title.endsWith(more) ? title.slice(0, -more.length) : title
  const object = whole.slice(clause.length + 2)
  const what = about(wordOf(t, action, 'title'), object === '' ? undefined : t('activity.quoted', { text: object }))
  return others.length === 0 ? what : t('activity.ask_and_more', { what, count: others.length })
}

/** The title of a proposal whose calls are not at hand. One made from the first call begins with the words of its action. */
export function proposalTitle(visit: Pick<Visit, 'site' | 't'>, title: string): string {
  const { registry } = visit.site
  const made = registry.all.filter(({ class: of, name }) => isMadeTitle(registry, title, [{ class: of, action: name }]))
  // The longest one, because the words of one action may begin with those of another.
  const [action] = made.toSorted((a, b) => clauseOf(b.summary).length - clauseOf(a.summary).length)
  if (!action) return title
  const others = Number(/, and (\d{1,4}) more$/.exec(title)?.[1] ?? 0)
  const call = { class: action.class, action: action.name }
  return proposalWords(
    visit,
    title,
    Array.from({ length: others + 1 }, () => call),
  )
}

/** The effect of one step of a proposal on the first object that it changes, with the name of its action. */
export function stepWords({ site, t }: Pick<Visit, 'site' | 't'>, { action: name, about: object, changes }: ProposalStep): Html {
  const action = site.registry.find(name)
  const what = action && about(wordOf(t, action, 'title'), object === null ? undefined : t('activity.quoted', { text: object }))
  const words = what && changes > 1 ? t('activity.step_and_more', { what, count: changes - 1 }) : what
  return words === undefined ? html`<code>${name}</code>` : html`${words}`
}

/** Gives each of these proposals its title. The list of proposals has only the number of calls, so the calls are read here. */
export async function namedProposals<T extends { readonly id: string; readonly title: string }>(
  visit: SignedIn,
  items: readonly T[],
): Promise<readonly (T & { readonly heading: string })[]> {
  if (items.length === 0) return []
  const ids = items.map(({ id }) => id)
  const rows = await visit.site.store.read.selectFrom('proposal').select(['id', 'calls']).where('id', 'in', ids).execute()
  const calls = new Map(rows.map((row) => [row.id, callsOf(row)]))
  return items.map((item) => ({ ...item, heading: proposalWords(visit, item.title, calls.get(item.id) ?? []) }))
}
