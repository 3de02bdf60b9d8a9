// The words of the `search` of a list. Without a search index, every word must occur in one of the searched columns.

import { sql, type SqlBool } from 'kysely'
import { invalid } from '../../base/failure.ts'
import type { Db } from '../../store/core/database.ts'
import { partsOfQuery, phrasesOfQuery } from '../../store/search/search-text.ts'
import { holds } from './contains.ts'
import type { WherePart } from './where-part.ts'

/** The longest `search`, in UTF-16 units. */
export const maxSearchLength = 200
export const maxWords = 10

/** Returns the words of a search. NUL is removed, because no stored text has it. */
export function wordsIn(search: string): readonly string[] {
  return search
    .replaceAll('\0', '')
    .toWellFormed()
    .split(/\s+/u)
    .filter((word) => word !== '')
}

/**
 * Returns the words of a search.
 * @throws Failure `invalid` for more than ten words or 200 characters
 */
function checkedWords(search: string): readonly string[] {
  const words = wordsIn(search)
  if (words.length <= maxWords && search.length <= maxSearchLength) return words
  const expected = `at most ${maxWords} words and ${maxSearchLength} characters`
  throw invalid('search', `"search" must be ${expected}.`, expected)
}

/**
 * Returns the phrases for a search in the search index; undefined if it has no words. @throws Failure `invalid` as `checkedWords`
 */
export function phrasesFor(search: string): { readonly phrases: readonly string[] } | undefined {
  if (checkedWords(search).length === 0) return undefined
  return { phrases: phrasesOfQuery(partsOfQuery(search, maxWords)) }
}

/** Returns a condition for each word of a search: one of these columns contains it. @throws Failure `invalid` as `checkedWords` */
export function compileSearch(db: Db, table: string, columns: readonly string[], search: string): readonly WherePart[] {
  return checkedWords(search).map((word) => {
    const places = columns.map((column) => holds(db, table, column, undefined, word))
    const condition = sql<SqlBool>`(${sql.join(places, sql` or `)})`
    return { field: undefined, finds: 'none', excludes: false, never: false, plain: condition, hidden: condition }
  })
}
