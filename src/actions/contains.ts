// Finding text within text whatever its letters' case, in the same way on every database.

import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely'

/** Each letter costs a nested call in the database. Text with more different letters beyond ASCII is matched with the rest as written. */
const maxFolds = 48

/**
 * Whether a text column holds `part`, which may be any characters but NUL. SQLite's `lower` knows ASCII only, so the
 * other letters of `part` are folded one by one; PostgreSQL's knows them all, and the folding finds nothing to do.
 */
export function contains(column: Expression<unknown>, part: string): RawBuilder<SqlBool> {
  const folds = foldsOf(part)
  let folded: RawBuilder<unknown> = sql`lower(${column})`
  for (const [upper, lower] of folds) folded = sql`replace(${folded}, ${upper}, ${lower})`
  const wanted = [...part].map((letter) => (letter <= '\x7f' ? letter.toLowerCase() : (folds.get(letter) ?? letter))).join('')
  return sql<SqlBool>`${folded} like ${`%${escapeLike(wanted)}%`} escape '\\'`
}

/** Upper-case letters to lower-case ones, for each letter beyond ASCII in a text that has exactly one of both. */
function foldsOf(text: string): ReadonlyMap<string, string> {
  const folds = new Map<string, string>()
  for (const letter of text) {
    if (letter <= '\x7f' || folds.size >= maxFolds) continue
    const [upper, lower] = [letter.toUpperCase(), letter.toLowerCase()]
    const paired = upper !== lower && [...upper].length === 1 && upper.toLowerCase() === lower && lower.toUpperCase() === upper
    if (paired) folds.set(upper, lower)
  }
  return folds
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
