// Another spelling of a query that finds little. Suggestions are words of entries that the caller may see: each is looked for in the search index,
// among those entries alone, so that a draft reveals none of its words (attack 89).

import { findPhrases } from '../../../content/search-marks.ts'
import { maxSearchedChars } from '../../../content/search-snippet.ts'
import { foldForSearch, partsOfQuery, phrasesOfQuery } from '../../../store/search-text.ts'
import { findNearTerms, termOf } from '../../../store/search-terms.ts'
import type { Context } from '../../action.ts'
import { checkDeadline } from '../../deadline.ts'
import { findSomeRows } from '../../list.ts'
import { maxWords } from '../../search-words.ts'
import { type EntryListInput, listFor, seenBy } from '../svc-content/list.ts'
import { readTexts } from './snippets.ts'

/** A query with at least so many results is taken to be right. */
const fewResults = 3
/** The most words of a query that are looked at, and the most similar words for each, of those that the caller may see. */
const maxLookedAt = 6
const maxTried = 8
/** In how many entries a suggestion must occur if the word as it is written occurs in some. */
const minEntries = 10

/**
 * The query with its misspelt words replaced; null if it finds enough, or if no other spelling finds more.
 * @param found the number of results that the query has
 */
export async function suggestQuery(
  context: Context,
  input: EntryListInput,
  query: string,
  found: number,
): Promise<string | null> {
  if (found >= fewResults) return null
  let [corrected, changed, looked] = ['', 0, 0]
  let from = 0
  for (const { 0: word, index } of query.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    if ((looked += 1) > maxLookedAt) break
    const other = await suggestWord(context, input, word)
    if (other === undefined) continue
    corrected += query.slice(from, index) + other
    from = index + word.length
    changed += 1
  }
  if (changed === 0) return null
  const whole = corrected + query.slice(from)
  const now = await seen(context, input, phrasesOfQuery(partsOfQuery(whole, maxWords)), fewResults)
  return now.length > found ? whole : null
}

/** A similar word that occurs where the caller may see it, as it is written there. */
async function suggestWord(context: Context, input: EntryListInput, word: string): Promise<string | undefined> {
  const term = termOf(foldForSearch(word))
  if (term === undefined) return undefined
  const known = await seen(context, input, [term], fewResults)
  if (known.length >= fewResults) return undefined
  const near = await findNearTerms(context.db, term)
  let best: { readonly term: string; readonly distance: number; readonly ids: readonly string[] } | undefined
  let tried = 0
  for (const one of near) {
    if (tried === maxTried || (best && one.distance > best.distance)) break
    checkDeadline(context)
    const ids = await seen(context, input, [one.term], 2 * minEntries)
    // Words that the caller may not see take no place of others.
    if (ids.length > 0) tried += 1
    if (ids.length > (known.length > 0 ? minEntries - 1 : 0) && ids.length > (best?.ids.length ?? 0)) best = { ...one, ids }
  }
  return best && (await asWritten(context, input, best.term, best.ids))
}

/** Some entries that the caller may see, and that contain these phrases. */
const seen = (context: Context, input: EntryListInput, phrases: readonly string[], most: number) =>
  findSomeRows(context, listFor(context), input, { ...seenBy(context, input), phrases, most })

/** A word with the case and the accents that it has in an entry. */
async function asWritten(context: Context, input: EntryListInput, term: string, ids: readonly string[]): Promise<string> {
  const [text] = await readTexts(context, ids.slice(0, 1), seenBy(context, input).narrow)
  const whole = text ? `${text.title}\n${text.excerpt ?? ''}\n${text.body}`.slice(0, maxSearchedChars) : ''
  const [place] = findPhrases(whole, [term])
  return place ? whole.slice(place.start, place.end).toLowerCase() : term
}
