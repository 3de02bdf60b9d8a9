// Checks e-mail address and password, and limits the attempts. A caller can't distinguish an unknown account from a wrong password, not even by
// the time of the answer (attack 62). Attempts are counted in the database, which all processes share, before the password is checked.

import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { rateKey } from '../http/addresses.ts'
import type { Db, Store } from '../store/database.ts'
import type { AccountRow } from '../store/schema.ts'
import { normalEmail } from './account-store.ts'
import { verifyPassword } from './password.ts'

/** How long failures count, in milliseconds. */
export const windowMs = 15 * 60_000

/** An attempt to sign in. */
export interface Attempt {
  readonly email: string
  readonly password: string
  /** Network address. */
  readonly address: string
  /** The browser, if this account has signed in on it before. Failures from elsewhere don't block a known browser (attack 64). */
  readonly knownAs: KnownBrowser | undefined
}

/** A browser on which an account has signed in. */
export interface KnownBrowser {
  readonly accountId: string
  readonly browserId: string
}

export interface SignInLimits {
  /** Failures per window for one account, from one address or on one known browser. */
  readonly perAccount: number
  /** Failures per window from one address, for all accounts. */
  readonly perAddress: number
}

export type SignIn =
  | { readonly account: AccountRow }
  | { readonly refused: 'wrong' }
  | { readonly refused: 'throttled'; readonly retryAfterSeconds: number }

/**
 * Checks an attempt and counts it as failed unless it succeeds.
 * @param now UTC milliseconds
 * @throws Failure `unavailable` when too many passwords are being checked
 */
export async function checkSignIn(store: Store, attempt: Attempt, limits: SignInLimits, now: number): Promise<SignIn> {
  const email = normalEmail(attempt.email)
  const account = await store.read.selectFrom('account').selectAll().where('email', '=', email).executeTakeFirst()
  const buckets = bucketsOf(attempt, email, account, limits)
  const blockedUntil = await store.transaction((db) => countAttempt(db, buckets, now))
  if (blockedUntil !== undefined) {
    return { refused: 'throttled', retryAfterSeconds: Math.max(1, Math.ceil((blockedUntil - now) / 1000)) }
  }
  const good = await verified(attempt.password, account, () => store.transaction((db) => giveBack(db, buckets)))
  if (!good || !account) return { refused: 'wrong' }
  await store.transaction((db) => giveBack(db, buckets))
  return { account }
}

/** Checks the password. A disabled account is treated as if it didn't exist. If the check itself fails, the attempt is not counted. */
async function verified(password: string, account: AccountRow | undefined, uncount: () => Promise<void>): Promise<boolean> {
  try {
    const right = await verifyPassword(password, account?.password_hash)
    return right && account?.disabled === 0
  } catch (error) {
    await uncount()
    throw error
  }
}

interface Bucket {
  readonly name: string
  readonly limit: number
}

/** Bucket names are hashes, so that mistyped addresses are stored nowhere. */
function bucketsOf(
  { address, knownAs }: Attempt,
  email: string,
  account: AccountRow | undefined,
  { perAccount, perAddress }: SignInLimits,
): readonly Bucket[] {
  const name = (...parts: string[]) => hash('sha256', JSON.stringify(parts), 'base64url')
  if (account && knownAs?.accountId === account.id) {
    return [{ name: name('browser', account.id, knownAs.browserId), limit: perAccount }]
  }
  const from = rateKey(address)
  return [
    { name: name('account', email, from), limit: perAccount },
    { name: name('address', from), limit: perAddress },
  ]
}

/** Counts an attempt in all buckets. If a bucket is full, nothing is counted, and the time at which the bucket ends is returned. */
async function countAttempt(db: Db, buckets: readonly Bucket[], now: number): Promise<number | undefined> {
  await db.deleteFrom('sign_in_attempt').where('ends_at', '<=', now).execute()
  const taken: Bucket[] = []
  for (const bucket of buckets) {
    const { count, ends_at: endsAt } = await db
      .insertInto('sign_in_attempt')
      .values({ bucket: bucket.name, count: 1, ends_at: now + windowMs })
      .onConflict((on) => on.column('bucket').doUpdateSet({ count: sql<number>`sign_in_attempt.count + 1` }))
      .returning(['count', 'ends_at'])
      .executeTakeFirstOrThrow()
    taken.push(bucket)
    if (count <= bucket.limit) continue
    await giveBack(db, taken)
    return endsAt
  }
  return undefined
}

async function giveBack(db: Db, buckets: readonly Bucket[]): Promise<void> {
  const names = buckets.map(({ name }) => name)
  await db
    .updateTable('sign_in_attempt')
    .set({ count: sql<number>`count - 1` })
    .where('bucket', 'in', names)
    .where('count', '>', 0)
    .execute()
}
