// Staged changes. They have a separate table, so that no public query of entries reads them.

import type { Kysely } from 'kysely'
import { addColumns, createIndexes, createTables } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, { entry_pending: 'entry_id key of entry, changes text, account_id text?, by_name text, at bigint' })
  // The previous release writes entries without these columns.
  await addColumns(db, 'entry', 'staged integer = 0, live_revision integer?')
  await addColumns(db, 'entry_revision', 'staged integer?')
  await createIndexes(db, 'entry', { entry_staged_created: 'staged, created_at, id' })
  await createTables(db, {
    // The content of previews that no entry has.
    preview: 'id key, entry text, bytes integer, expires_at bigint',
  })
}
