// `search` of a list: every word must occur in one of its searched columns.

import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { Failure } from '../failure.ts'
import { holds } from './contains.ts'
import type { ListFields } from './list-field.ts'

/** Longest `search`, in UTF-16 units. */
export const maxSearchLength = 200
const maxWords = 10

/** The words of a search. NUL is dropped, because no stored text has it. */
export function wordsIn(search: string): readonly string[] {
  return search
    .replaceAll('\0', '')
    .toWellFormed()
    .split(/\s+/u)
    .filter((word) => word !== '')
}

/**
 * A condition for each word of a search.
 * @param fields say which columns have a folded text
 * @throws Failure `invalid` for more than ten words or 200 characters
 */
export function compileSearch(
  table: string,
  columns: readonly string[],
  search: string,
  fields: ListFields = {},
): readonly RawBuilder<SqlBool>[] {
  const words = wordsIn(search)
  if (words.length > maxWords || search.length > maxSearchLength) {
    const expected = `at most ${maxWords} words and ${maxSearchLength} characters`
    throw new Failure('invalid', `"search" must be ${expected}.`, { field: 'search', expected })
  }
  const all = Object.values(fields)
  const searched = columns.map((column) => ({ column, folded: all.find((field) => field.column === column)?.folded }))
  return words.map((word) => {
    const places = searched.map(({ column, folded }) => holds(table, column, folded, word))
    return sql<SqlBool>`(${sql.join(places, sql` or `)})`
  })
}
