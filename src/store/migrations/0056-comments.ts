// Comments of visitors under entries. The next import also takes in the comments that earlier imports have kept.

import type { Kysely } from 'kysely'
import { createIndexes, createTables, revisioned } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    comment: `id key, entry_id text of entry, parent_id text?, state text, name text, email text?, website text?, body text,
      account_id text?, source text, ${revisioned}`,
  })
  await createIndexes(db, 'comment', {
    comment_by_entry: 'entry_id, state, created_at',
    comment_by_state: 'state, created_at, id',
    comment_by_update: 'state, updated_at',
  })
}
