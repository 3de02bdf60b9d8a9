// Second factors of accounts, and the address and browser of each session.

import type { Kysely } from 'kysely'
import { addColumns, createIndexes, createTables } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumns(db, 'account', 'second_factor integer = 0')
  // The time of the last change of the second factors, and the account that ended them for the owner, if any. Admins see this for a
  // while.
  await addColumns(db, 'account', 'second_factor_at bigint?, second_factor_ended_by text?')
  // Null in the rows of earlier releases.
  await addColumns(db, 'session', 'address text?, agent text?')
  await createTables(db, {
    totp: 'account_id key of account, secret text, last_step bigint, created_at bigint',
    passkey: `
      id key, account_id text of account, name text, rp_id text, public_key text, counter bigint, transports text,
      created_at bigint, used_at bigint?`,
  })
  await createIndexes(db, 'passkey', { passkey_account: 'account_id' })
  await createTables(db, { recovery_code: 'hash key, account_id text of account, used_at bigint?' })
  await createIndexes(db, 'recovery_code', { recovery_code_account: 'account_id' })
  await createTables(db, { spent_challenge: 'id key, expires_at bigint' })
}
