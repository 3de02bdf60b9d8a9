// Passwords and codes from forms. They are checked within the rate limits on attempts, and each refusal has an answer for the page.

import { Failure } from '../../base/failure.ts'
import { checkCode, type CodeCheck } from '../../identity/check-code.ts'
import { passwordBytes } from '../../identity/password.ts'
import { checkSignIn, type SignIn, type SignInLimits } from '../../identity/sign-in.ts'
import type { AccountRow } from '../../store/core/schema.ts'
import type { Fields } from '../form.ts'
import type { Visit } from '../visit.ts'
import type { MessageKey } from '../words.ts'

/** Returns true if a password is too long to be checked (attack 71). */
export function isTooLong(fields: Fields, name = 'password'): boolean {
  return Buffer.byteLength(fields.get(name)) > passwordBytes.max
}

/** Checks a password, within the rate limits on attempts. */
export async function tryPassword(visit: Visit, email: string, password: string): Promise<SignIn> {
  const { site, request, known, now } = visit
  try {
    return await checkSignIn(site.store, { email, password, address: request.client, knownAs: known }, limitsOf(visit), now)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'unavailable') throw error
    return { refused: 'throttled', retryAfterSeconds: error.detail.retry_after ?? 5 }
  }
}

/** Checks a code of an authenticator app, or a recovery code, and uses it up. */
export async function tryCode(visit: Visit, { id }: Pick<AccountRow, 'id'>, code: string): Promise<CodeCheck> {
  const { site, request, known, now } = visit
  const attempt = { accountId: id, code: code.slice(0, 100), address: request.client, knownAs: known }
  return checkCode(site.store, site.key, attempt, limitsOf(visit), now)
}

function limitsOf({ site: { config } }: Visit): SignInLimits {
  return { perAccount: config.POSTERN_SIGN_INS_PER_ACCOUNT, perAddress: config.POSTERN_SIGN_INS_PER_ADDRESS }
}

type Refused = Extract<SignIn | CodeCheck, { readonly refused: unknown }>

/** The answer of a page to a refused attempt. */
export interface RefusedAttempt {
  readonly status: number
  readonly fault: string
  readonly headers: Readonly<Record<string, string>>
}

/** Returns the answer to a refused attempt. @param wrong the sentence for a wrong password or code */
export function refusal({ t }: Visit, result: Refused, wrong: MessageKey): RefusedAttempt {
  if (result.refused === 'wrong') return { status: 403, fault: t(wrong), headers: {} }
  const seconds = result.retryAfterSeconds
  const fault =
    seconds < 90
      ? t('access.too_many_seconds', { count: seconds })
      : t('access.too_many_minutes', { count: Math.ceil(seconds / 60) })
  return { status: 429, fault, headers: { 'retry-after': String(seconds) } }
}
