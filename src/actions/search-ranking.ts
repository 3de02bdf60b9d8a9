// Decides which words of a search decide the rank of the entries that are found: the rarer ones, because a word that stands in thousands of entries says
// little about any of them, and looking at each entry with it takes long. Whatever is counted is counted among the entries that the caller may see.

import { LRUCache } from 'lru-cache'
import type { Db } from '../store/database.ts'
import type { SearchIndex } from '../store/search-index.ts'
import { wordsOfPhrases } from '../store/search-text.ts'
import { type RankedWord, type Searching, searchOf } from '../store/search.ts'

/** A word in more entries does not decide the rank. */
export const maxDeciding = 5000
/** The most words that decide the rank. */
const maxRankedWords = 20

export interface Ranking {
  /** The number of entries that are found, up to one more than `maxDeciding`. */
  readonly found: number
  /** True if more entries are found than can be ranked. The newest come first. */
  readonly frequent: boolean
  readonly ranked: readonly RankedWord[]
}

/** The number of searches that are remembered to find more entries than can be ranked, and the time for which they are. */
const kept = { max: 1000, ttl: 10 * 60_000 }
const frequentSearches = new WeakMap<SearchIndex, LRUCache<string, true>>()

/** The ranking of a search. Two counts at most: of the entries that are found, and of those with each word. */
export async function rankingOf(db: Db, index: SearchIndex, searching: Searching): Promise<Ranking> {
  const { shownAfter, phrases, which } = searching
  const count = (searches: readonly Searching[]) => searchOf(db).count(db, searches, maxDeciding + 1)
  const key = JSON.stringify([shownAfter !== undefined && Math.sign(shownAfter), phrases])
  const known = frequentIn(index)
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

function frequentIn(index: SearchIndex): LRUCache<string, true> {
  let known = frequentSearches.get(index)
  if (!known) frequentSearches.set(index, (known = new LRUCache(kept)))
  return known
}
