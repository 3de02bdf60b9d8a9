// One-time links for setting the password of an account that is new or whose password was reset. Only hashes are stored.

import { randomBytes } from 'node:crypto'
import type { Db } from '../store/core/database.ts'
import type { AccountRow } from '../store/core/schema.ts'
import { hashSecret } from './token-store.ts'

const dayMs = 24 * 60 * 60 * 1000
/** The validity of a link, in milliseconds. */
export const linkMs = 3 * dayMs

/** The validity of a link that somebody asked for without being signed in. */
export const resetMs = 30 * 60_000

/** The page of the admin for a link's code, below the base path. */
export const linkPath = '/admin/new-password'

const form = /^psl_[A-Za-z0-9_-]{43}$/

/** Creates the code of a link, and revokes the account's earlier links. */
export async function makeLink(db: Db, account: LinkedAccount, now: number): Promise<string> {
  await db.deleteFrom('one_time_link').where('account_id', '=', account.id).execute()
  return addLink(db, account, now, linkMs)
}

type LinkedAccount = Pick<AccountRow, 'id' | 'epoch'>

/** Creates the code of a link, beside the account's other links. @param ms its validity */
export async function addLink(db: Db, account: LinkedAccount, now: number, ms: number): Promise<string> {
  const code = `psl_${randomBytes(32).toString('base64url')}`
  await db
    .insertInto('one_time_link')
    .values({ hash: hashSecret(code), account_id: account.id, epoch: account.epoch, expires_at: now + ms, used_at: null })
    .execute()
  return code
}

/** The account of a code; undefined if the code is unknown, used, expired or revoked. The code stays valid. */
export async function findLinkAccount(db: Db, code: string, now: number): Promise<AccountRow | undefined> {
  if (!form.test(code)) return undefined
  const row = await db
    .selectFrom('one_time_link')
    .innerJoin('account', 'account.id', 'one_time_link.account_id')
    .selectAll('account')
    .where('hash', '=', hashSecret(code))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where('account.disabled', '=', 0)
    .whereRef('account.epoch', '=', 'one_time_link.epoch')
    .executeTakeFirst()
  return row
}

/** Uses up a code. Returns false if it was already used. */
export async function takeLink(db: Db, code: string, now: number): Promise<boolean> {
  const row = await db
    .updateTable('one_time_link')
    .set({ used_at: now })
    .where('hash', '=', hashSecret(code))
    .where('used_at', 'is', null)
    .returning('hash')
    .executeTakeFirst()
  return row !== undefined
}
