// Authorization codes. A code is valid for 60 seconds and is used once, which one SQL statement ensures. A used code is stored
// with its grant.

import { randomBytes } from 'node:crypto'
import { hashSecret } from '../../identity/token-store.ts'
import type { Db } from '../../store/core/database.ts'
import type { AuthCodeRow } from '../../store/core/schema.ts'

const ttlMs = 60_000
/** The retention of codes. It is as long as their grants live, so that a second use is detected. */
const keptMs = 31 * 24 * 60 * 60 * 1000

/** The facts that a code is issued for. */
export type CodeFacts = Pick<
  AuthCodeRow,
  'account_id' | 'client_hash' | 'redirect_uri' | 'code_challenge' | 'scope' | 'limits' | 'epoch'
>

/** Issues a code and returns it; only its hash is stored. `now` is UTC milliseconds. */
export async function issueCode(db: Db, facts: CodeFacts, now: number): Promise<string> {
  const code = `psc_${randomBytes(32).toString('base64url')}`
  await db
    .deleteFrom('auth_code')
    .where('expires_at', '<', now - keptMs)
    .execute()
  const row = { ...facts, hash: hashSecret(code), expires_at: now + ttlMs, used_at: null, grant_id: null }
  await db.insertInto('auth_code').values(row).execute()
  return code
}

/** Marks a code as used and returns its facts; undefined if the code is unknown or was used. @see RFC 6749 §4.1.2 */
export async function takeCode(db: Db, hash: string, now: number): Promise<AuthCodeRow | undefined> {
  return db
    .updateTable('auth_code')
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Finds the id of the grant that a used code was exchanged for. */
export async function findSpentCode(db: Db, hash: string): Promise<string | undefined> {
  const row = await db.selectFrom('auth_code').select('grant_id').where('hash', '=', hash).executeTakeFirst()
  return row?.grant_id ?? undefined
}

/** Stores the grant that a code was exchanged for. */
export async function noteExchange(db: Db, hash: string, grantId: string): Promise<void> {
  await db.updateTable('auth_code').set({ grant_id: grantId }).where('hash', '=', hash).execute()
}
