// Checks a code that a person types as the second step: of an authenticator app, or a recovery code. Attempts are limited like
// those with passwords, but for the account as a whole: an attacker at this step knows the password, and six digits can be
// guessed from many addresses (attack 65).

import { rateKey } from '../http/addresses.ts'
import type { Store } from '../store/core/database.ts'
import { type Bucket, bucketName, countAttempt, giveBack, secondsUntil } from './attempts.ts'
import { parseRecoveryCode, takeRecoveryCode } from './recovery-codes.ts'
import { takeTotp } from './second-factor-store.ts'
import type { KnownBrowser, SignInLimits } from './sign-in.ts'
import type { SiteKey } from './site-key.ts'

export interface CodeAttempt {
  readonly accountId: string
  readonly code: string
  /** Network address. */
  readonly address: string
  readonly knownAs: KnownBrowser | undefined
}

export type CodeCheck =
  | 'right'
  | { readonly refused: 'wrong' }
  | { readonly refused: 'throttled'; readonly retryAfterSeconds: number }

/** Checks a code and uses it up. An attempt counts as failed unless the code is right. @param now UTC milliseconds */
export async function checkCode(
  store: Store,
  key: SiteKey,
  attempt: CodeAttempt,
  limits: SignInLimits,
  now: number,
): Promise<CodeCheck> {
  const { accountId, code } = attempt
  const buckets = bucketsOf(attempt, limits)
  const blockedUntil = await store.transaction((db) => countAttempt(db, buckets, now))
  if (blockedUntil !== undefined) return { refused: 'throttled', retryAfterSeconds: secondsUntil(blockedUntil, now) }
  const digits = code.replace(/\s+/g, '')
  const recovery = parseRecoveryCode(code)
  return store.transaction(async (db) => {
    const right = /^\d{6}$/.test(digits)
      ? await takeTotp(db, key, accountId, digits, now)
      : recovery !== undefined && (await takeRecoveryCode(db, accountId, recovery, now))
    if (!right) return { refused: 'wrong' }
    await giveBack(db, buckets)
    return 'right'
  })
}

function bucketsOf({ accountId, address, knownAs }: CodeAttempt, { perAccount, perAddress }: SignInLimits): readonly Bucket[] {
  if (knownAs?.accountId === accountId)
    return [{ name: bucketName('code', 'browser', accountId, knownAs.browserId), limit: perAccount }]
  return [
    { name: bucketName('code', 'account', accountId), limit: perAccount },
    { name: bucketName('address', rateKey(address)), limit: perAddress },
  ]
}
