// Recovery codes: each replaces a second factor once. They are shown only when they are made, and only their hashes are stored. A
// code has 80 random bits, so its hash can't be searched.

import { randomBytes } from 'node:crypto'
import type { Db } from '../store/core/database.ts'
import { hashSecret } from './token-store.ts'

/** The number of codes that are made together. */
const count = 10
const groups = 4
/** The alphabet of codes, without letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz023456789'
const form = /^[a-z0-9]{16}$/

/** Parses a code as people type it, without its dashes; undefined if it can't be one. */
export function parseRecoveryCode(text: string): string | undefined {
  const code = text.toLowerCase().replace(/[\s-]+/g, '')
  return form.test(code) ? code : undefined
}

const hashOf = (accountId: string, code: string): string => hashSecret(`${accountId} ${code}`)

/** Replaces the codes of an account. @returns the new codes, such as `k7pd-2m9x-aaq4-vj3z` */
export async function makeRecoveryCodes(db: Db, accountId: string): Promise<readonly string[]> {
  const codes = Array.from({ length: count }, () => [...randomBytes(4 * groups)].map((byte) => alphabet[byte % 32]).join(''))
  await dropRecoveryCodes(db, accountId)
  const rows = codes.map((code) => ({ hash: hashOf(accountId, code), account_id: accountId, used_at: null }))
  await db.insertInto('recovery_code').values(rows).execute()
  return codes.map((code) => code.match(/.{4}/g)?.join('-') ?? code)
}

export async function dropRecoveryCodes(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
}

/** Uses up a code. Returns false if it is unknown or used. */
export async function takeRecoveryCode(db: Db, accountId: string, code: string, now: number): Promise<boolean> {
  const row = await db
    .updateTable('recovery_code')
    .set({ used_at: now })
    .where('hash', '=', hashOf(accountId, code))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .returning('hash')
    .executeTakeFirst()
  return row !== undefined
}

export async function countRecoveryCodes(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('recovery_code')
    .select((eb) => eb.fn.countAll().as('n'))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.n)
}
