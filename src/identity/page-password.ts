// The password of a page: the attempts of visitors, and the sealed value in their cookie. The value names the page and the stored
// hash, so it ends when the password changes.

import { hash } from 'node:crypto'
import { rateKey } from '../http/addresses.ts'
import type { Store } from '../store/core/database.ts'
import { type Bucket, bucketName, countAttempt, giveBack, secondsUntil } from './attempts.ts'
import { verifyPassword } from './password.ts'
import { seal, unseal } from './sealed.ts'
import type { SiteKey } from './site-key.ts'

/** A page whose text is behind a password. */
export interface PasswordPage {
  readonly id: string
  readonly password_hash: string
}

/** Failures in a window from one address: for one page, and for all pages. */
const limits = { perPage: 10, perAddress: 30 }

const purpose = 'page password'
/** The time for which a browser need not ask again. */
export const unlockedSeconds = 30 * 24 * 60 * 60

export type Unlocking = { readonly opened: boolean } | { readonly retryAfterSeconds: number }

/**
 * Checks the password that a visitor typed, and counts it as failed unless it is right.
 * @throws Failure `unavailable` if too many passwords are being checked
 */
export async function checkPagePassword(
  store: Store,
  page: PasswordPage,
  { password, address, now }: { readonly password: string; readonly address: string; readonly now: number },
): Promise<Unlocking> {
  const from = rateKey(address)
  const buckets: readonly Bucket[] = [
    { name: bucketName('password of a page', page.id, from), limit: limits.perPage },
    { name: bucketName('passwords of pages', from), limit: limits.perAddress },
  ]
  const blockedUntil = await store.transaction((db) => countAttempt(db, buckets, now))
  if (blockedUntil !== undefined) return { retryAfterSeconds: secondsUntil(blockedUntil, now) }
  const uncount = () => store.transaction((db) => giveBack(db, buckets))
  const opened = await verifyPassword(password, page.password_hash).catch(async (error: unknown) => {
    await uncount()
    throw error
  })
  if (opened) await uncount()
  return { opened }
}

/** Returns the value of the cookie with which a page opens without asking. */
export const sealUnlocked = (key: SiteKey, page: PasswordPage, now: number): string =>
  seal(key, purpose, [page.id, markOf(page), now + unlockedSeconds * 1000])

/** True if one of these values was sealed for the page and its present password, and has not expired. */
export const isUnlocked = (key: SiteKey, page: PasswordPage, values: readonly string[], now: number): boolean =>
  values.some((value) => {
    const opened = unseal(key, purpose, value)
    if (!Array.isArray(opened)) return false
    const [id, mark, until] = opened as readonly unknown[]
    return id === page.id && mark === markOf(page) && typeof until === 'number' && until > now
  })

/** Names the stored hash without repeating it. */
const markOf = ({ password_hash: stored }: PasswordPage): string => hash('sha256', stored, 'base64url')
