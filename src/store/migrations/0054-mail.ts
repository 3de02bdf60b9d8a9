// Mail: the relay, and what is or was sent through it; and how often a person is told of proposals. A body is sealed, and gone once
// the mail is sent.

import type { Kysely } from 'kysely'
import { addColumns, createIndexes, createTables } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    mail_relay: `name key, host text, port integer, security text, user_name text?, secret text?, from_address text, from_name text,
      site_url text?, per_minute integer, dkim_selector text?, verified_at bigint?, error text?, updated_at bigint`,
    mail: `id key, kind text, recipient text, account_id text?, reply_to text?, subject text, body text?, state text, tries integer,
      next_at bigint?, until bigint?, created_at bigint, tried_at bigint?, code integer?, answer text?`,
  })
  await addColumns(db, 'account', 'proposal_mails text = hourly')
  await createIndexes(db, 'mail', {
    mail_due: 'state, next_at',
    mail_by_time: 'created_at, id',
    mail_by_try: 'tried_at',
    mail_by_account: 'account_id, kind, created_at',
  })
}
