// The short values of an entry's fields, one row each, for filters and sorts of lists. They are derived from the column `fields`,
// and written in the same transaction as the entry. Every short value has a row, so that an owner may mark a field `filter` at any
// time.

import type { Transaction } from 'kysely'
import { insertOf } from '../core/compile-once.ts'
import { queueWrite } from '../core/queued-writes.ts'
import type { EntryRow, EntryValueRow, Schema } from '../core/schema.ts'

/** The longest text with a row, in UTF-16 units. Lists can't be filtered by longer ones. */
export const maxIndexedChars = 200

/** Queues the values of an entry. @param isNew true if the entry has no rows yet */
export function keepValues(db: Transaction<Schema>, { id, fields }: Pick<EntryRow, 'id' | 'fields'>, isNew: boolean): void {
  if (!isNew) queueWrite(db, { query: db.deleteFrom('entry_value').where('entry_id', '=', id).compile() })
  for (const row of valuesOf(id, fields)) queueWrite(db, { query: insertOf(db, 'entry_value', row) })
}

function valuesOf(id: string, fields: string): readonly EntryValueRow[] {
  if (fields === '{}') return []
  return Object.entries(JSON.parse(fields) as Record<string, unknown>).flatMap(([name, value]): EntryValueRow[] => {
    const row = { entry_id: id, name, text_value: null, number_value: null }
    if (typeof value === 'number') return [{ ...row, number_value: value }]
    if (typeof value === 'boolean') return [{ ...row, number_value: value ? 1 : 0 }]
    return typeof value === 'string' && value.length <= maxIndexedChars ? [{ ...row, text_value: value }] : []
  })
}
