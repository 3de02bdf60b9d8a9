// Chooses the words that rank the results of a search. It prefers rare words: a word in thousands of entries says little about each
// of them, and reading all of them takes long. Only entries that the caller may see are counted.

import type { Db } from '../../store/core/database.ts'
import type { SearchIndex } from '../../store/search/search-index.ts'
import { wordsOfPhrases } from '../../store/search/search-text.ts'
import { type RankedWord, type Searching, searchOf } from '../../store/search/search.ts'

/** The most entries with a word that decides the rank. */
const maxDeciding = 5000
/** The most words that decide the rank. */
const maxRankedWords = 20

export interface Ranking {
  /** The number of found entries, up to one more than `maxDeciding`. */
  readonly found: number
  /** True if more entries are found than can be ranked. The newest then come first. */
  readonly frequent: boolean
  readonly ranked: readonly RankedWord[]
}

/** Ranks a search with at most two counting queries: one for the found entries, one for the entries with each word. */
export async function rankingOf(
  db: Db,
  { frequent: known }: Pick<SearchIndex, 'frequent'>,
  searching: Searching,
): Promise<Ranking> {
  const { shownAfter, phrases, which } = searching
  const count = (searches: readonly Searching[]) => searchOf(db).count(db, searches, maxDeciding + 1)
  const key = JSON.stringify([shownAfter !== undefined && Math.sign(shownAfter), phrases])
  const [found = 0] = known.has(key) ? [maxDeciding + 1] : await count([searching])
  const frequent = which === 'all' && found > maxDeciding
  if (frequent) {
    if (!known.has(key)) known.set(key, true)
    return { found, frequent, ranked: [] }
  }
  const words = found < 2 ? [] : wordsOfPhrases(phrases, maxRankedWords)
  const counts =
    words.length < 2 ? words.map(() => found) : await count(words.map((word) => ({ shownAfter, phrases: [word], which })))
  const ranked = words.flatMap((phrase, at) => {
    const entries = counts[at] ?? 0
    return entries > maxDeciding || entries === 0 ? [] : [{ phrase, weight: Math.log(1 + maxDeciding / entries) }]
  })
  return { found, frequent, ranked }
}
