// The words that occur in entries, for "did you mean". A word is stored once for each group of three letters in it. Words that
// share most groups with a misspelt word are then found through the primary key, on each engine.
// The table does not say how often a word occurs or who may read it: the search index answers that for the few similar words. A
// word may therefore remain in the table for a while after the last text with it. `sweepTerms` removes such words.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { editDistance } from '../../base/edit-distance.ts'
import type { Db, Store } from '../core/database.ts'
import { jsonRows } from '../core/json-rows.ts'
import { searchOf, type SearchDocument } from './search.ts'

/** The length of suggested words in letters. Shorter words resemble too many others. */
const lengths = { least: 4, most: 24 }
/** The most words of one text, and the part of the text that is read, in UTF-16 units. */
const maxTermsOfText = 2000
const maxTextLength = 256 * 1024
const partLength = 32 * 1024

/** The most rows per transaction, which takes about two milliseconds. */
const maxRowsAtOnce = 400

/** A word in folded text. Runs of unspaced scripts are folded to pairs, which are too short for suggestions. */
const wordPattern = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}]{4,40}(?![\p{L}\p{M}\p{N}])/gu

/** Returns the stored form of a word; undefined for a word that is never suggested. @param word folded by `foldForSearch` */
export function termOf(word: string): string | undefined {
  const length = [...word].length
  return length >= lengths.least && length <= lengths.most && /^[\p{L}\p{M}]+$/u.test(word) ? word : undefined
}

/** Returns the different words of a document that may be suggested. */
async function termsOf({ title, text }: SearchDocument): Promise<ReadonlySet<string>> {
  const terms = new Set<string>()
  const whole = `${title}\n${text.slice(0, maxTextLength)}`
  for (let start = 0; start < whole.length && terms.size < maxTermsOfText; start += partLength) {
    if (start > 0) await nextTurn()
    for (const [word] of whole.slice(start, start + partLength).matchAll(wordPattern)) {
      const term = termOf(word)
      if (term !== undefined) terms.add(term)
      if (terms.size === maxTermsOfText) break
    }
  }
  return terms
}

type TermRow = readonly [gram: string, size: number, term: string]

const columns = [
  { name: 'gram', kind: 'text' },
  { name: 'size', kind: 'number' },
  { name: 'term', kind: 'text' },
] as const

/** Returns each group of three letters of a word, with a sign before and after the word. Only the first group begins with `^`. */
function gramsOf(term: string): readonly string[] {
  const letters = ['^', ...term, '$']
  return [...new Set(letters.slice(2).map((_, at) => letters.slice(at, at + 3).join('')))]
}

const rowsOf = (term: string): readonly TermRow[] => gramsOf(term).map((gram) => [gram, [...term].length, term])

/** Returns the row of a word by which it is looked up. */
const firstRowOf = (term: string): TermRow => [`^${[...term].slice(0, 2).join('')}`, [...term].length, term]

/** Returns the words that are in the table. */
async function knownOf(db: Db, terms: readonly string[]): Promise<readonly string[]> {
  if (terms.length === 0) return []
  const asked = jsonRows(db, columns, terms.map(firstRowOf))
  const { rows } = await sql<{ term: string }>`select given.term from (${asked}) as given cross join entry_search_term as known
    where known.gram = given.gram and known.size = given.size and known.term = given.term`.execute(db)
  return rows.map(({ term }) => term)
}

/**
 * Stores the words of documents, in short transactions between which other writers get their turn. This happens before the
 * documents are indexed: if it is interrupted, they are still due.
 */
export async function putTerms(store: Store, documents: readonly SearchDocument[]): Promise<void> {
  const terms = new Set<string>()
  for (const document of documents) for (const term of await termsOf(document)) terms.add(term)
  const known = new Set(await knownOf(store.read, [...terms]))
  const rows = [...terms].filter((term) => !known.has(term)).flatMap(rowsOf)
  for (let start = 0; start < rows.length; start += maxRowsAtOnce) {
    const some = jsonRows(store.write, columns, rows.slice(start, start + maxRowsAtOnce))
    await sql`insert into entry_search_term (gram, size, term)
      select gram, size, term from (${some}) as given where true on conflict do nothing`.execute(store.write)
  }
}

/** The number of words per step of a sweep. */
const sweptAtOnce = 50

/**
 * Checks the next words of the table, and removes those that occur in no entry.
 * @param after the last word of the previous step; empty at the start
 * @returns the last checked word; undefined at the end of the table
 */
export async function sweepTerms(store: Store, after: string): Promise<string | undefined> {
  const from: TermRow = after === '' ? ['^', 0, ''] : firstRowOf(after)
  // Each word has exactly one row with its first letters.
  const { rows } = await sql<{ term: string }>`select term from entry_search_term
    where (gram, size, term) > (${from[0]}, ${from[1]}, ${from[2]}) and gram < '_' order by gram, size, term limit ${sweptAtOnce}`.execute(
    store.read,
  )
  const terms = rows.map(({ term }) => term)
  const last = terms.at(-1)
  if (last === undefined) return undefined
  const absent = await searchOf(store.read).absentOf(store.read, terms)
  const gone = jsonRows(store.write, columns, absent.flatMap(rowsOf))
  if (absent.length > 0)
    await sql`delete from entry_search_term where (gram, size, term) in (select gram, size, term from (${gone}) as given)`.execute(
      store.write,
    )
  return last
}

/** The most changed letters between a suggestion and a word of this length. */
const maxDistanceOf = (length: number): number => (length < 6 ? 1 : 2)

/** The fewest groups of three letters that similar words share. One changed letter affects three groups. */
const leastCommonOf = (length: number): number => Math.max(2, length - 3 * maxDistanceOf(length))

/**
 * Returns the words that differ from a word in one or two letters, nearest first. Each result depends on that word alone, so words
 * that the caller may not see displace no others.
 * @param term a result of `termOf`
 */
export async function findNearTerms(
  db: Db,
  term: string,
): Promise<readonly { readonly term: string; readonly distance: number }[]> {
  const size = [...term].length
  const most = maxDistanceOf(size)
  const { rows } = await sql<{ term: string }>`select term from entry_search_term
    where gram in (${sql.join(gramsOf(term))}) and size between ${size - most} and ${size + most} and term <> ${term}
    group by term having count(*) >= ${leastCommonOf(size)}`.execute(db)
  const near = new Set([...rows.map((row) => row.term), ...(await knownOf(db, closeTo(term)))])
  return [...near]
    .map((one) => ({ term: one, distance: editDistance(term, one) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((a, b) => a.distance - b.distance || (a.term < b.term ? -1 : 1))
}

/**
 * Returns a word's variants with two neighbours swapped, or without one letter. Few groups of three letters survive such a change
 * in a short word.
 */
function closeTo(term: string): readonly string[] {
  const letters = [...term]
  return letters.flatMap((letter, at) => {
    const [before, after] = [letters.slice(0, at).join(''), letters.slice(at + 2).join('')]
    const next = letters[at + 1] ?? ''
    return [`${before}${next}${after}`, ...(next === '' ? [] : [`${before}${next}${letter}${after}`])]
  })
}
