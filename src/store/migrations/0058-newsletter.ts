// The newsletter: its subscribers, what was sent to them, and the mails that belong to it.

import type { Kysely } from 'kysely'
import { addColumns, createIndexes, createTables } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    subscriber: `id key, email text unique, name text?, language text, state text, reason text?, source text, consent text?,
      consent_at bigint?, consent_from text?, bounces integer, created_at bigint, updated_at bigint`,
    newsletter: `id key, entry_id text, subject text, language text?, excluded text, origin text, text text, html text, state text, error text?,
      cursor text, sent integer, failed integer, refusals integer, account_id text?, created_at bigint, updated_at bigint`,
  })
  await addColumns(db, 'mail', 'newsletter_id text?, subscriber_id text?')
  await createIndexes(db, 'subscriber', {
    subscriber_by_state: 'state, id',
    subscriber_by_time: 'created_at, id',
  })
  await createIndexes(db, 'newsletter', {
    newsletter_by_time: 'created_at, id',
    newsletter_by_entry: 'entry_id',
    newsletter_by_state: 'state, id',
  })
  await createIndexes(db, 'mail', { mail_by_newsletter: 'newsletter_id' })
}
