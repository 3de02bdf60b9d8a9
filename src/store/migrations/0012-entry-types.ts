// Types of entries that the owner defines, and the values of their fields. The values of an entry are JSON in one column, which is
// authoritative. The table `entry_value` repeats the short values, for filters and sorts of lists.

import type { Kysely } from 'kysely'
import { addColumns, createIndexes, createTables, revisioned } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    entry_type: `slug key, name text, path text, fields text, dropped text, taxonomies text, feed integer, ${revisioned}`,
  })
  await createIndexes(db, 'entry_type', {
    entry_type_name: 'name, slug',
    entry_type_created_at: 'created_at, slug',
    entry_type_updated_at: 'updated_at, slug',
  })
  // The default is for the previous release, which doesn't know the column.
  await addColumns(db, 'entry', 'fields text = {}')
  await createTables(db, {
    entry_value: `
      entry_id text of entry, name text, text_value text?, number_value double precision?; primary key (entry_id, name)`,
  })
  await createIndexes(db, 'entry_value', {
    entry_value_text_value: 'name, text_value, entry_id',
    entry_value_number_value: 'name, number_value, entry_id',
  })
}
