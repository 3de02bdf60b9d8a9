// What is never in a backup: sessions, codes, tokens of apps, links, and whatever else is good once or for a while. A restore takes these from the
// database that it replaces, so that nobody is signed out, no app is disconnected, and nothing that was used up revives.

import type { Schema } from '../store/schema.ts'
import { emptyTables } from '../store/database-file.ts'

/** A table, and the column by which its rows belong to an account or a grant; undefined where they stand alone. */
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
  { table: 'sign_in_attempt' },
]

/** What backups there are is a fact of the machine, not of the site. */
export const ofMachine: readonly (keyof Schema)[] = ['backup']

/** Takes these rows out of the copy of a database, so that nothing of them is left in its file either. */
export function dropUnsaved(path: string): Promise<void> {
  return emptyTables(path, [...singleUse.map(({ table }) => table), ...ofMachine])
}
