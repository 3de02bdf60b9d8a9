// The tables for signing in: sessions, counts of failed attempts, one-time links, and answered consent pages.

import type { Kysely } from 'kysely'
import { createIndexes, createTables } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    session: `
      id key, account_id text of account, epoch integer, created_at bigint, seen_at bigint, authenticated_at bigint,
      ended_at bigint?`,
  })
  await createIndexes(db, 'session', { session_account: 'account_id, seen_at' })
  await createTables(db, {
    sign_in_attempt: 'bucket key, count integer, ends_at bigint',
    one_time_link: `hash key, account_id text of account, epoch integer, expires_at bigint, used_at bigint?`,
    consent_answer: 'id key, expires_at bigint',
  })
}
