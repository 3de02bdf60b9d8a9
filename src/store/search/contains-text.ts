// Tests if a column contains a text in any letter case. Each letter is compared in both cases, because engines differ in the
// letters that they fold.

import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Db } from '../core/database.ts'
import { type Engine, engineOf } from '../core/engine.ts'
import { casesOf } from './fold-text.ts'

/** True if a column contains `part`, which may have any characters except NUL. */
export const containsText = (db: Db, column: Expression<unknown>, part: string): RawBuilder<SqlBool> =>
  engines[engineOf(db)](column, [...part])

type Contains = (column: Expression<unknown>, letters: readonly string[]) => RawBuilder<SqlBool>

const engines: Readonly<Record<Engine, Contains>> = {
  sqlite: (column, letters) =>
    sql<SqlBool>`${column} glob ${`*${letters.map((one) => inEitherCase(one, /[*?[]/, '[$&]')).join('')}*`}`,
  postgres: (column, letters) =>
    sql<SqlBool>`${column} ~ ${letters.map((one) => inEitherCase(one, /[.*+?^${}()|[\]\\]/, '\\$&')).join('')}`,
}

/** Returns a letter for a pattern: itself, or a set of its cases. @param special the letters that must be escaped */
function inEitherCase(letter: string, special: RegExp, escaped: string): string {
  const cases = casesOf(letter)
  return cases.length === 1 ? letter.replace(special, escaped) : `[${cases.join('')}]`
}
