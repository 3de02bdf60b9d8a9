// Ensures that only the operator can create the first account of a site, and only once. While there is no account, each start
// prints a link with a code. The code is derived from the site's key, so every process prints the same code, and no code is
// stored.

import type { Transaction } from 'kysely'
import { sameSecret } from '../base/same-secret.ts'
import type { Db } from '../store/core/database.ts'
import type { Schema } from '../store/core/schema.ts'
import type { SiteKey } from './site-key.ts'

/** The set-up code. It proves that its user has seen the output of a start (attack 20). */
export function setUpCode(key: SiteKey): string {
  return key.derive('set-up').subarray(0, 18).toString('base64url')
}

/** True if a text is the set-up code. */
export function isSetUpCode(key: SiteKey, text: string): boolean {
  return sameSecret(text, setUpCode(key))
}

/** True if the site has an account. */
export async function hasAccount(db: Db): Promise<boolean> {
  const row = await db.selectFrom('account').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

/**
 * Uses up the only chance to set up the site, in the transaction that creates the account. Returns false if it is already used.
 * One statement decides, so that only one of several simultaneous attempts succeeds (attack 21).
 */
export async function takeSetUp(db: Transaction<Schema>, accountId: string): Promise<boolean> {
  if (await hasAccount(db)) return false
  const taken = await db
    .insertInto('site_fact')
    .values({ name: 'set_up_by', value: accountId })
    .onConflict((on) => on.column('name').doNothing())
    .returning('name')
    .executeTakeFirst()
  return taken !== undefined
}
