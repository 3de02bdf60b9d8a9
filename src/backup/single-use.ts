// The tables that a backup never contains: sessions, codes, tokens of apps, links, and other things that are valid once or for a
// limited time. A restore takes their rows from the database that it replaces. So everyone stays signed in, every app stays
// connected, and used-up codes stay used up.

import type { Schema } from '../store/core/schema.ts'

/** A table. `of` names the column that refers to an account or a grant, if there is one. */
export interface SingleUse {
  readonly table: keyof Schema
  readonly of?: { readonly column: string; readonly table: 'account' | 'app_grant' }
}

const ofAccount = { column: 'account_id', table: 'account' } as const
const ofGrant = { column: 'grant_id', table: 'app_grant' } as const

export const singleUse: readonly SingleUse[] = [
  { table: 'session', of: ofAccount },
  { table: 'auth_code', of: ofAccount },
  { table: 'one_time_link', of: ofAccount },
  { table: 'access_token', of: ofGrant },
  { table: 'refresh_token', of: ofGrant },
  { table: 'consent_answer' },
  { table: 'upload_link' },
  { table: 'preview' },
  { table: 'spent_challenge' },
  { table: 'sign_in_attempt' },
  // A copy of the site sends nothing to the receivers of this one, and a foreign backup adds none.
  { table: 'webhook' },
  { table: 'webhook_delivery' },
  // The same holds for people who get mails.
  { table: 'mail_relay' },
  { table: 'mail' },
  // Newsletters that were sent stay so, and a copy of the site does not go on with them.
  { table: 'newsletter' },
  // Salt and ids of today's visitors must not outlive the day.
  { table: 'visit_salt' },
  { table: 'visitor_seen' },
]

/** Tables that describe the machine, not the site: the list of backups, and the place elsewhere to which they are sent. */
export const ofMachine: readonly (keyof Schema)[] = ['backup', 'backup_target', 'backup_copy']

/** All tables that a backup has without their rows. */
export const unsaved: ReadonlySet<string> = new Set([...singleUse.map(({ table }) => table), ...ofMachine])
