import { Type } from 'typebox'
import { findEntry, maySee, noEntry } from '../../content/entries/entry.ts'
import { invalid } from '../../base/failure.ts'
import { unspacedRuns, foldForSearch } from '../../store/search/search-text.ts'
import { searchOf } from '../../store/search/search.ts'
import { action, type Context } from '../call/action.ts'
import { idProperty, named } from '../content/named.ts'
import { entryFilters, shownAfterFor } from '../content/list.ts'
import { foundEntries, foundItem, listFound } from './found-entries.ts'
import { boundedInteger, closed, nonEmptyText } from '../../base/schema.ts'

const maxTextLength = 20_000
const maxItems = 20
const usualItems = 5

/** The most words of a text that are looked up in the index, and the most that are searched for. */
const maxLookedUp = 40
const maxDistinctive = 12
/** The number of entries from which on a word is not distinctive. Counting stops there. */
const common = 1000

export const similar = action('SVC_Search.similar', {
  title: 'Find similar entries',
  summary: 'Finds entries about the same as an entry or a text, by its most distinctive words.',
  tier: 'any',
  effect: 'read',
  failures: ['not_found'],
  input: closed({
    id: Type.Optional({ ...idProperty, description: 'Id or path of an entry. Either this or `text`.' }),
    text: Type.Optional(nonEmptyText('A text, such as a draft that is not stored yet.', maxTextLength)),
    ...entryFilters,
    limit: Type.Optional(boundedInteger(`The most items to return. The default is ${usualItems}.`, 1, maxItems)),
  }),
  // The answer does not contain the words: the words that the index has would reveal the subjects of drafts.
  output: Type.Object({ items: Type.Array(foundItem) }),
  examples: [
    { title: 'Entries like a page', input: { id: '/about' } },
    { title: 'Whether something is written already', input: { text: 'Our opening hours in winter' } },
  ],
  async run(context, { id, text, type, locale, limit = usualItems }) {
    const asked = await textOf(context, id, text)
    await context.site.search.freshen()
    const words = await distinctiveWords(context, asked.text)
    if (words.length === 0) return { items: [] }
    const input = { limit: limit + 1, ...(type !== undefined && { type }), ...(locale !== undefined && { locale }) }
    const page = await listFound(context, input, { phrases: words, which: 'any' })
    const places = [...page.rows.keys()].filter((at) => page.rows[at]?.id !== asked.id).slice(0, limit)
    const rows = places.flatMap((at) => page.rows[at] ?? [])
    const values = places.map((at) => page.values?.[at] ?? null)
    return { items: await foundEntries(context, input, { rows, values }, words) }
  },
})

/**
 * Returns the text to compare, and the id of its entry. @throws Failure `invalid` unless exactly one of the two is given;
 * `not_found`
 */
async function textOf(context: Context, id: string | undefined, text: string | undefined) {
  const { db, caller, now } = context
  if ((id === undefined) === (text === undefined)) throw invalid('id', 'Give either "id" or "text".', 'either "id" or "text"')
  if (id === undefined) return { id: undefined, text: text ?? '' }
  const entry = await findEntry(db, named(context, id))
  if (!entry || !maySee(caller, entry, now)) throw noEntry(id)
  // Words of the title count three times.
  const { title } = entry
  return { id: entry.id, text: [title, title, title, entry.excerpt ?? '', entry.body.slice(0, maxTextLength)].join('\n') }
}

/** Returns the most distinctive words of a text: frequent in it, and rare in entries. */
async function distinctiveWords(context: Context, text: string): Promise<readonly string[]> {
  const times = new Map<string, number>()
  for (const [term] of foldForSearch(text).matchAll(/[\p{L}\p{M}\p{N}]{2,40}/gu))
    if (term.length > 2 || term.search(unspacedRuns) === 0) times.set(term, (times.get(term) ?? 0) + 1)
  const weighed = [...times].map(([term, count]) => ({ term, weight: count * Math.log(1 + term.length) }))
  const likely = weighed.toSorted((a, b) => b.weight - a.weight).slice(0, maxLookedUp)
  const counts = await countEach(
    context,
    likely.map(({ term }) => term),
  )
  const distinctive = likely.flatMap(({ term, weight }, at) => {
    const entries = counts[at] ?? 0
    return entries > 0 && entries < common ? [{ term, weight: weight * Math.log(common / entries) }] : []
  })
  return distinctive
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, maxDistinctive)
    .map(({ term }) => term)
}

/** Counts the entries with each word, among those that the caller may see. */
async function countEach(context: Context, terms: readonly string[]): Promise<readonly number[]> {
  const { db } = context
  const shownAfter = shownAfterFor(context, {})
  const searches = terms.map((term) => ({ phrases: [term], which: 'all' as const, shownAfter }))
  return searches.length === 0 ? [] : searchOf(db).count(db, searches, common)
}
