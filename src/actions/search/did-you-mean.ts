// Suggests another spelling for a query. Only entries that the caller may see count, so that no draft reveals a word (attack 89).

import { findPhrases } from '../../content/markdown/search-marks.ts'
import { maxSearchedChars } from '../../content/markdown/search-snippet.ts'
import { foldForSearch, partsOfQuery, phrasesOfQuery } from '../../store/search/search-text.ts'
import { findNearTerms, termOf } from '../../store/search/search-terms.ts'
import type { Context } from '../call/action.ts'
import { checkDeadline } from '../call/deadline.ts'
import { findSomeRows } from '../lists/list.ts'
import { maxWords } from '../lists/search-words.ts'
import { type EntryListInput, listFor, seenBy } from '../content/list.ts'
import { readTexts } from './snippets.ts'

/** The number of results from which on a query is considered right. */
const fewResults = 3
/** The most words of a query that are checked, and the most similar visible words that are tried for each. */
const maxLookedAt = 6
const maxTried = 8
/** The number of entries that must contain a suggestion if some contain the word as it is written. */
const minEntries = 10

/**
 * Returns the query with its misspelt words replaced; null if it finds enough, or if no other spelling finds more.
 * @param found the number of results of the query
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

/** Returns a similar word from entries that the caller may see, as it is written there. */
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
    // Only words that the caller may see count as tried.
    if (ids.length > 0) tried += 1
    if (ids.length > (known.length > 0 ? minEntries - 1 : 0) && ids.length > (best?.ids.length ?? 0)) best = { ...one, ids }
  }
  return best && (await asWritten(context, input, best.term, best.ids))
}

/** Returns some entries that contain these phrases and that the caller may see. */
const seen = (context: Context, input: EntryListInput, phrases: readonly string[], most: number) =>
  findSomeRows(context, listFor(context), input, { ...seenBy(context, input), phrases, most })

/** Returns a word with the accents that it has in an entry, in lower case. */
async function asWritten(context: Context, input: EntryListInput, term: string, ids: readonly string[]): Promise<string> {
  const [text] = await readTexts(context, ids.slice(0, 1), seenBy(context, input).narrow)
  const whole = text ? `${text.title}\n${text.excerpt ?? ''}\n${text.body}`.slice(0, maxSearchedChars) : ''
  const [place] = findPhrases(whole, [term])
  return place ? whole.slice(place.start, place.end).toLowerCase() : term
}
