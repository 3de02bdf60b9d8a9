// Forms for visitors, what they sent, and the addresses that agreed to get it by mail.

import type { Kysely } from 'kysely'
import { createIndexes, createTables, revisioned } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    form: `id key, slug text unique, name text, fields text, receivers text, thanks text, thanks_page text?, reply text?, consent text?,
      keep_days integer, open integer, ${revisioned}`,
    form_submission: `id key, form_id text, state text, reason text?, contents text, email text?, path text?, digest text,
      created_at bigint, expires_at bigint`,
    mail_receiver: `address key, confirmed_at bigint`,
  })
  await createIndexes(db, 'form_submission', {
    form_submission_by_form: 'form_id, state, created_at',
    form_submission_by_time: 'created_at, id',
    form_submission_by_email: 'email',
    form_submission_by_digest: 'digest',
    form_submission_by_end: 'expires_at',
  })
}
