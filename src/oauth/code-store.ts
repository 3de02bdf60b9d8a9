// Authorization codes: 60 seconds, one use, decided by one statement. A spent code is remembered with what it was exchanged for.

import { randomBytes } from 'node:crypto'
import { hashSecret } from '../identity/token-store.ts'
import type { Db } from '../store/database.ts'
import type { AuthCodeRow } from '../store/schema.ts'

const ttlMs = 60_000
/** As long as what came of it lives, so that a second use is noticed. */
const keptMs = 31 * 24 * 60 * 60 * 1000

/** What a code is issued for. */
export type CodeFacts = Pick<
  AuthCodeRow,
  'account_id' | 'client_hash' | 'redirect_uri' | 'code_challenge' | 'scope' | 'limits' | 'epoch'
>

/** Issues a code and returns it; only its hash is kept. `now` is UTC milliseconds. */
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

/** Takes a code out of use and returns what it was issued for; undefined when unknown or used. (RFC 6749 §4.1.2) */
export async function takeCode(db: Db, hash: string, now: number): Promise<AuthCodeRow | undefined> {
  return db
    .updateTable('auth_code')
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** The grant that a spent code was exchanged for. */
export async function findSpentCode(db: Db, hash: string): Promise<string | undefined> {
  const row = await db.selectFrom('auth_code').select('grant_id').where('hash', '=', hash).executeTakeFirst()
  return row?.grant_id ?? undefined
}

/** Remembers what a code was exchanged for. */
export async function noteExchange(db: Db, hash: string, grantId: string): Promise<void> {
  await db.updateTable('auth_code').set({ grant_id: grantId }).where('hash', '=', hash).execute()
}
