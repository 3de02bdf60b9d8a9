// The second factors of accounts: authenticator app, passkeys and recovery codes. The column `account.second_factor` says whether
// a sign-in needs a second step. If the rows of an account are lost, nobody can pass that step: the account stays locked until
// someone ends its second factor.

import type { Change } from '../store/change/change.ts'
import type { Db } from '../store/core/database.ts'
import type { AccountRow, PasskeyRow } from '../store/core/schema.ts'
import { countRecoveryCodes, dropRecoveryCodes, makeRecoveryCodes } from './recovery-codes.ts'
import { seal, unseal } from './sealed.ts'
import type { SiteKey } from './site-key.ts'
import { findTotpStep } from './totp.ts'

const purpose = 'totp'

export interface SecondFactors {
  /** The time at which the authenticator app was added, in UTC milliseconds. */
  readonly appSince: number | undefined
  readonly passkeys: readonly PasskeyRow[]
  readonly codesLeft: number
}

export async function readSecondFactors(db: Db, accountId: string): Promise<SecondFactors> {
  const app = await db.selectFrom('totp').select('created_at').where('account_id', '=', accountId).executeTakeFirst()
  return {
    appSince: app?.created_at,
    passkeys: await listPasskeys(db, accountId),
    codesLeft: await countRecoveryCodes(db, accountId),
  }
}

export async function listPasskeys(db: Db, accountId: string): Promise<readonly PasskeyRow[]> {
  return db.selectFrom('passkey').selectAll().where('account_id', '=', accountId).orderBy('created_at').orderBy('id').execute()
}

/**
 * Uses up the code of an authenticator app. One statement decides, so a code counts once, and no code that is older than a used
 * one counts (attack 65). Returns false if the code is wrong or used.
 */
export async function takeTotp(db: Db, key: SiteKey, accountId: string, code: string, now: number): Promise<boolean> {
  const row = await db.selectFrom('totp').select('secret').where('account_id', '=', accountId).executeTakeFirst()
  const secret = row && unseal(key, purpose, row.secret)
  if (typeof secret !== 'string') return false
  const step = findTotpStep(Buffer.from(secret, 'base64url'), code, now)
  if (step === undefined) return false
  const taken = await db
    .updateTable('totp')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where('last_step', '<', step)
    .returning('account_id')
    .executeTakeFirst()
  return taken !== undefined
}

/**
 * Adds an authenticator app, or replaces the account's current one.
 * @param step of the code that confirmed the app; it is used up
 */
export async function addTotp(
  { db, now }: Change,
  key: SiteKey,
  accountId: string,
  { secret, step }: { readonly secret: Buffer; readonly step: number },
): Promise<void> {
  const sealed = seal(key, purpose, secret.toString('base64url'))
  await db.deleteFrom('totp').where('account_id', '=', accountId).execute()
  await db.insertInto('totp').values({ account_id: accountId, secret: sealed, last_step: step, created_at: now }).execute()
}

export async function addPasskey({ db }: Change, row: PasskeyRow): Promise<void> {
  await db.insertInto('passkey').values(row).execute()
}

/** The second factor to remove: the authenticator app, or the passkey with this id. */
export type RemovedFactor = { readonly app: true } | { readonly passkey: string }

export async function removeFactor({ db }: Change, accountId: string, what: RemovedFactor): Promise<void> {
  if ('app' in what) await db.deleteFrom('totp').where('account_id', '=', accountId).execute()
  else await db.deleteFrom('passkey').where('account_id', '=', accountId).where('id', '=', what.passkey).execute()
}

/**
 * Updates `account.second_factor` after one of the account's factors was added or removed.
 * @returns the account, and the recovery codes if these are its first ones
 */
export async function settleSecondFactor(
  change: Change,
  account: AccountRow,
): Promise<{ readonly account: AccountRow; readonly codes: readonly string[] | undefined }> {
  const { db } = change
  const { appSince, passkeys, codesLeft } = await readSecondFactors(db, account.id)
  const hasFactor = appSince !== undefined || passkeys.length > 0
  if (!hasFactor) await dropRecoveryCodes(db, account.id)
  const codes = hasFactor && codesLeft === 0 ? await makeRecoveryCodes(db, account.id) : undefined
  const { row } = await change.update('account', account, {
    second_factor: hasFactor ? 1 : 0,
    second_factor_at: change.now,
    second_factor_ended_by: null,
  })
  return { account: row, codes }
}

/** Removes all second factors of an account on behalf of its owner. Returns the columns of the account that change. */
export async function endSecondFactor(
  { db, now }: Change,
  { id }: Pick<AccountRow, 'id'>,
  by: string,
): Promise<Pick<AccountRow, 'second_factor' | 'second_factor_at' | 'second_factor_ended_by'>> {
  await db.deleteFrom('totp').where('account_id', '=', id).execute()
  await db.deleteFrom('passkey').where('account_id', '=', id).execute()
  await dropRecoveryCodes(db, id)
  return { second_factor: 0, second_factor_at: now, second_factor_ended_by: by }
}

/** The time for which admins are told that somebody's second factors were ended. */
const toldMs = 7 * 24 * 60 * 60_000

/** An account without second factors because someone ended them for its owner. */
export type Unguarded = Pick<AccountRow, 'id' | 'email' | 'second_factor_ended_by'>

export async function listUnguarded(db: Db, now: number): Promise<readonly Unguarded[]> {
  return db
    .selectFrom('account')
    .select(['id', 'email', 'second_factor_ended_by'])
    .where('second_factor_ended_by', 'is not', null)
    .where('second_factor_at', '>', now - toldMs)
    .where('disabled', '=', 0)
    .orderBy('email')
    .limit(10)
    .execute()
}
