// The first account of a site: who may make it, and that it is one. The code is in the link that a start prints while there is no
// account; it is derived from the site's key, so every start and every process prints the same, and nothing keeps it.

import type { Transaction } from 'kysely'
import { sameSecret } from '../same-secret.ts'
import type { Db } from '../store/database.ts'
import type { Schema } from '../store/schema.ts'
import type { SiteKey } from './site-key.ts'

/** What proves that somebody saw the start (attack 20). */
export function setUpCode(key: SiteKey): string {
  return key.derive('set-up').subarray(0, 18).toString('base64url')
}

/** Whether a text is the code. */
export function isSetUpCode(key: SiteKey, text: string): boolean {
  return sameSecret(text, setUpCode(key))
}

/** Whether anyone could sign in, or ever could. */
export async function hasAccount(db: Db): Promise<boolean> {
  const row = await db.selectFrom('account').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

/**
 * Takes the one chance to set the site up, in the transaction that makes the account; false when it is gone. One statement decides, so
 * that of several at once one has it (attack 21).
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
