// Finding text within text whatever its letters' case, at a cost that doesn't grow with the letters that are looked for. Entries' texts
// are kept folded (`store/folded-entries.ts`); the texts of other lists, which are few or short, are compared as they stand.

import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely'
import { foldText, otherCaseOf } from '../store/fold-text.ts'

/** A table that keeps a text of entries folded, in a column of the same name. */
export type FoldedTable = 'entry_folded' | 'entry_folded_body'

/** Whether a column holds `part`, which may be any characters but NUL. @param folded where its text is kept folded */
export function holds(table: string, column: string, folded: FoldedTable | undefined, part: string): RawBuilder<SqlBool> {
  if (folded === undefined) return contains(sql.ref(`${table}.${column}`), part)
  const id = sql.ref(`${table}.id`)
  const found = sql`${sql.ref(column)} like ${`%${escapeLike(foldText(part))}%`} escape '\\'`
  // Names are read as a whole, once a query. As an expression the id can't lead to a look-up for each hit, which may be all entries:
  // so the list's own index is walked until the page is full. Over 100,000 entries either costs 15 to 35 ms.
  if (folded === 'entry_folded') return sql<SqlBool>`(${id} || '') in (select entry_id from entry_folded where ${found})`
  return sql<SqlBool>`exists (select 1 from entry_folded_body where entry_id = ${id} and ${found})`
}

/** The same of a text that nobody keeps folded: a pattern with both cases of each letter (SQLite's GLOB). */
function contains(column: Expression<unknown>, part: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${column} glob ${`*${[...part].map(inEitherCase).join('')}*`}`
}

function inEitherCase(letter: string): string {
  if (letter === '*' || letter === '?' || letter === '[') return `[${letter}]`
  const other = otherCaseOf(letter)
  return other === undefined ? letter : `[${letter}${other}]`
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
