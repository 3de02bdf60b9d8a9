// The first account of a site: who may create it, and that there is only one. While there is no account, each start prints a link with a
// code. The code is derived from the site's key, so every start and every process prints the same one, and it is stored nowhere.

import type { Transaction } from 'kysely'
import { sameSecret } from '../same-secret.ts'
import type { Db } from '../store/database.ts'
import type { Schema } from '../store/schema.ts'
import type { SiteKey } from './site-key.ts'

/** The code, which proves that somebody saw the output of the start (attack 20). */
export function setUpCode(key: SiteKey): string {
  return key.derive('set-up').subarray(0, 18).toString('base64url')
}

/** Whether a text is the code. */
export function isSetUpCode(key: SiteKey, text: string): boolean {
  return sameSecret(text, setUpCode(key))
}

/** Whether the site has an account. */
export async function hasAccount(db: Db): Promise<boolean> {
  const row = await db.selectFrom('account').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

/**
 * Uses up the one chance to set the site up, in the transaction that creates the account; false when it is used. One statement decides, so
 * that one of several simultaneous attempts succeeds (attack 21).
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
