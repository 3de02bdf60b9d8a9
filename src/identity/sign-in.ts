// Checks e-mail address and password, and limits the attempts. A caller can't distinguish an unknown account from a wrong
// password, not even by the time of the answer (attack 62). Attempts are counted in the database, which all processes share,
// before the password is checked.

import { rateKey } from '../http/addresses.ts'
import type { Store } from '../store/core/database.ts'
import type { AccountRow } from '../store/core/schema.ts'
import { normalEmail } from './account-store.ts'
import { type Bucket, bucketName, countAttempt, giveBack, secondsUntil } from './attempts.ts'
import { verifyPassword } from './password.ts'

export interface Attempt {
  readonly email: string
  readonly password: string
  /** Network address. */
  readonly address: string
  /**
   * The browser, if this account has signed in on it before. Failures from other places don't block a known browser (attack 64).
   */
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
 * @throws Failure `unavailable` if too many passwords are being checked
 */
export async function checkSignIn(store: Store, attempt: Attempt, limits: SignInLimits, now: number): Promise<SignIn> {
  const email = normalEmail(attempt.email)
  const account = await store.read.selectFrom('account').selectAll().where('email', '=', email).executeTakeFirst()
  const buckets = bucketsOf(attempt, email, account, limits)
  const blockedUntil = await store.transaction((db) => countAttempt(db, buckets, now))
  if (blockedUntil !== undefined) {
    return { refused: 'throttled', retryAfterSeconds: secondsUntil(blockedUntil, now) }
  }
  const good = await verified(attempt.password, account, () => store.transaction((db) => giveBack(db, buckets)))
  if (!good || !account) return { refused: 'wrong' }
  await store.transaction((db) => giveBack(db, buckets))
  return { account }
}

/**
 * Checks the password. A disabled account is treated like an unknown one. If the check itself fails, the attempt is not counted.
 */
async function verified(password: string, account: AccountRow | undefined, uncount: () => Promise<void>): Promise<boolean> {
  try {
    const right = await verifyPassword(password, account?.password_hash)
    return right && account?.disabled === 0
  } catch (error) {
    await uncount()
    throw error
  }
}

function bucketsOf(
  { address, knownAs }: Attempt,
  email: string,
  account: AccountRow | undefined,
  { perAccount, perAddress }: SignInLimits,
): readonly Bucket[] {
  if (account && knownAs?.accountId === account.id) {
    return [{ name: bucketName('browser', account.id, knownAs.browserId), limit: perAccount }]
  }
  const from = rateKey(address)
  return [
    { name: bucketName('account', email, from), limit: perAccount },
    { name: bucketName('address', from), limit: perAddress },
  ]
}
