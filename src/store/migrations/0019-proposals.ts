// Calls that wait for an admin.

import type { Kysely } from 'kysely'
import { createIndexes, createTables, revisioned } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    proposal: `
      id key, title text, note text?, calls text, tier text, diff text, expects text, account_id text?, token_id text?,
      by_name text, token_name text?, owner text?, key text?, state text, decided_by text?, decided_at bigint?, answer text?,
      ${revisioned}`,
  })
  await createIndexes(db, 'proposal', {
    proposal_by_state: 'state, created_at, id',
    proposal_by_time: 'created_at, id',
    proposal_by_token: 'token_id, created_at, id',
    proposal_by_key: 'owner, key',
  })
}
