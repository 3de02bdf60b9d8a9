// `search` of a list: every word must occur in one of the list's searched columns. Ranking and full text are SVC_Search's.

import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { Failure } from '../failure.ts'
import { contains } from './contains.ts'

/** Longest `search`, in UTF-16 units. */
export const maxSearchLength = 200
const maxWords = 10

/** The words of a search, any characters allowed; NUL, which no stored text holds, is dropped. */
export function wordsIn(search: string): readonly string[] {
  return search
    .replaceAll('\0', '')
    .toWellFormed()
    .split(/\s+/u)
    .filter((word) => word !== '')
}

/**
 * A condition for each word of a search.
 * @throws Failure `invalid` for more than ten words or 200 characters
 */
export function compileSearch(table: string, columns: readonly string[], search: string): readonly RawBuilder<SqlBool>[] {
  const words = wordsIn(search)
  if (words.length > maxWords || search.length > maxSearchLength) {
    const expected = `at most ${maxWords} words and ${maxSearchLength} characters`
    throw new Failure('invalid', `"search" must be ${expected}.`, { field: 'search', expected })
  }
  return words.map((word) => {
    const places = columns.map((column) => contains(sql.ref(`${table}.${column}`), word))
    return sql<SqlBool>`(${sql.join(places, sql` or `)})`
  })
}
