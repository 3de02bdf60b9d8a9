// Case-insensitive search for text in a column, at a cost that does not grow with the length of the searched text. Texts of entries
// are stored folded (`store/search/folded-entries.ts`); texts of other lists, which are few or short, are compared directly.

import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely'
import { containsText } from '../../store/search/contains-text.ts'
import type { Db } from '../../store/core/database.ts'
import { foldText } from '../../store/search/fold-text.ts'

/** A table with the folded texts of entries, in columns of the same names. */
export type FoldedTable = 'entry_folded' | 'entry_folded_body'

/** True if a column contains `part`, which may have any characters except NUL. @param folded the table with the folded text */
export function holds(db: Db, table: string, column: string, folded: FoldedTable | undefined, part: string): RawBuilder<SqlBool> {
  const direct = containsText(db, sql.ref(`${table}.${column}`), part)
  if (folded === undefined) return direct
  const id = sql.ref(`${table}.id`)
  const found = sql`${sql.ref(column)} like ${`%${escapeLike(foldText(part))}%`} escape '\\'`
  const current = inFolded(id, folded, found)
  // The folded text of an entry that an older release wrote may be missing or out of date until `search-index.ts` has folded it.
  const late = sql`${id} in (select entry_id from entry_search_due)`
  return sql<SqlBool>`case when ${late} then ${direct} else ${current} end`
}

function inFolded(id: Expression<unknown>, folded: FoldedTable, found: Expression<unknown>): RawBuilder<SqlBool> {
  // All names are searched once per query. `|| ''` prevents SQLite from looking up each hit by its id, since every entry may be a
  // hit. SQLite then walks the index of the list until the page is full. With 100,000 entries, both take 15 to 35 ms.
  if (folded === 'entry_folded') return sql<SqlBool>`(${id} || '') in (select entry_id from entry_folded where ${found})`
  return sql<SqlBool>`exists (select 1 from entry_folded_body where entry_id = ${id} and ${found})`
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
