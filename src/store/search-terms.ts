// The words that occur in entries, for "did you mean". A word is stored once for each group of three letters in it, so that words which have most
// groups in common with a misspelt word are found through the primary key, in the same way on each database.
//
// The table says neither how often a word occurs nor who may read it: the search index answers that for the few words that are similar. So a word
// may stay in the table for a while after the last text with it has gone. `sweepTerms` removes such words.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { editDistance } from '../edit-distance.ts'
import type { Db, Store } from './database.ts'
import { jsonRows } from './json-rows.ts'
import { searchOf, type SearchDocument } from './search.ts'

/** Letters of a word that is suggested. Shorter words are similar to too many others. */
const lengths = { least: 4, most: 24 }
/** The words that are taken from one text, and the part of the text that is read, in UTF-16 units. */
const maxTermsOfText = 2000
const maxTextLength = 256 * 1024
const partLength = 32 * 1024

/** The rows that are written in one transaction, which take about two milliseconds. */
const maxRowsAtOnce = 400

/** A word in folded text. Runs of unspaced scripts are folded to pairs, which are too short to be suggested. */
const wordPattern = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}]{4,40}(?![\p{L}\p{M}\p{N}])/gu

/** The form in which a word is stored; undefined for a word that is never suggested. @param word folded by `foldForSearch` */
export function termOf(word: string): string | undefined {
  const length = [...word].length
  return length >= lengths.least && length <= lengths.most && /^[\p{L}\p{M}]+$/u.test(word) ? word : undefined
}

/** The different words of a document that may be suggested. */
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

/** Each group of three letters of a word with a sign before and after it. No group of letters begins with `^`. */
function gramsOf(term: string): readonly string[] {
  const letters = ['^', ...term, '$']
  return [...new Set(letters.slice(2).map((_, at) => letters.slice(at, at + 3).join('')))]
}

const rowsOf = (term: string): readonly TermRow[] => gramsOf(term).map((gram) => [gram, [...term].length, term])

/** One row of a word, by which it is looked up. */
const firstRowOf = (term: string): TermRow => [`^${[...term].slice(0, 2).join('')}`, [...term].length, term]

/** Which of these words are in the table. */
async function knownOf(db: Db, terms: readonly string[]): Promise<readonly string[]> {
  if (terms.length === 0) return []
  const asked = jsonRows(db, columns, terms.map(firstRowOf))
  const { rows } = await sql<{ term: string }>`select given.term from (${asked}) as given cross join entry_search_term as known
    where known.gram = given.gram and known.size = given.size and known.term = given.term`.execute(db)
  return rows.map(({ term }) => term)
}

/**
 * Stores the words of documents, in short transactions between which other writers get their turn. This comes before the documents are put into the
 * index: if it is interrupted, the documents are still due.
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

/** The number of words that a sweep looks at, in one go. */
const sweptAtOnce = 50

/**
 * Looks at the next words of the table, and removes those that no entry has any more.
 * @param after the word up to which the table was swept; empty at the start
 * @returns the last word that was looked at; undefined at the end of the table
 */
export async function sweepTerms(store: Store, after: string): Promise<string | undefined> {
  const from: TermRow = after === '' ? ['^', 0, ''] : firstRowOf(after)
  // The rows of the first letters have each word once.
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

/** The most changed letters that separate a suggestion from a word of this length. */
const maxDistanceOf = (length: number): number => (length < 6 ? 1 : 2)

/** The fewest groups of three letters that a similar word has in common. One changed letter is in three groups. */
const leastCommonOf = (length: number): number => Math.max(2, length - 3 * maxDistanceOf(length))

/**
 * The words that differ from a word in one or two letters, nearest first. Whether a word is among them depends on that word alone, so that words which the
 * caller may not see displace no others.
 * @param term as `termOf` makes it
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

/** A word with two neighbours swapped, or without one letter. In a short word, few groups of three letters survive that. */
function closeTo(term: string): readonly string[] {
  const letters = [...term]
  return letters.flatMap((letter, at) => {
    const [before, after] = [letters.slice(0, at).join(''), letters.slice(at + 2).join('')]
    const next = letters[at + 1] ?? ''
    return [`${before}${next}${after}`, ...(next === '' ? [] : [`${before}${next}${letter}${after}`])]
  })
}
