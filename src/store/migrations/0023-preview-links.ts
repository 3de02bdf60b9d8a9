// Preview links get their maker and the revision that they show. They can be listed and ended, and their number is limited per
// caller. Links of the previous release have none of this and end. Upload links and answered consent pages are limited too.

import type { Kysely } from 'kysely'
import { addColumns, createIndexes } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  const nullable = `owner text?, maker text?, account_id text?, by_name text?, token_name text?, entry_id text?, theme text?, title text?`
  await addColumns(db, 'preview', `${nullable}, revision integer?`)
  // The previous release writes previews without these columns.
  await addColumns(db, 'preview', 'created_at bigint = 0, follow integer = 0, live integer = 0')
  for (const table of ['upload_link', 'consent_answer']) await addColumns(db, table, 'owner text?')
  await createIndexes(db, 'preview', {
    preview_created: 'created_at, id',
    preview_owner_created: 'owner, created_at, id',
    preview_account_created: 'account_id, created_at, id',
    preview_expiry: 'expires_at, id',
  })
  await createIndexes(db, 'upload_link', { upload_link_owner: 'owner, used_at, expires_at', upload_link_expiry: 'expires_at' })
  await createIndexes(db, 'consent_answer', { consent_answer_owner: 'owner, expires_at' })
}
