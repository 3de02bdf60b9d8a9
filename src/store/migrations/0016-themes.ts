// Themes of the owner: their settings, their files, and the revisions of both.

import type { Kysely } from 'kysely'
import { createIndexes, createTables, revisioned } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    theme: `slug key, active integer, settings text, ${revisioned}`,
    theme_file: `id key, theme text, path text, text text, ${revisioned}`,
  })
  await createIndexes(db, 'theme_file', { theme_file_of: 'theme, path' })
  await createTables(db, {
    theme_revision: `
      object_id text, revision integer, snapshot text, account_id text?, by_name text, door text, action text, at bigint;
      primary key (object_id, revision)`,
  })
  await createIndexes(db, 'theme_revision', { theme_revision_at: 'object_id, at, revision' })
}
