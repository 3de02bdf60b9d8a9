// The signed time in a form. It says when the page with the form was made, so that a form that is sent at once, or by a program
// that never saw it, can be told from others.

import { createHmac } from 'node:crypto'
import { sameSecret } from '../base/same-secret.ts'
import type { SiteKey } from '../identity/site-key.ts'

/** A token is good for a day, and an hour for the time in which a page may be kept. */
const maxAgeMs = 25 * 3_600_000

const signed = (key: SiteKey, slug: string, at: number): string =>
  createHmac('sha256', key.derive('form')).update(`${slug} ${at}`).digest('base64url').slice(0, 22)

export const formToken = (key: SiteKey, slug: string, now: number): string => `${now}.${signed(key, slug, now)}`

/** The age of a token in milliseconds; undefined for one that is too old, of another form, or made up. */
export function ageOfToken(key: SiteKey, slug: string, token: string, now: number): number | undefined {
  const [, digits = '', signature = ''] = /^(\d{1,15})\.([\w-]{22})$/.exec(token) ?? []
  const age = now - Number(digits)
  const isGood = digits !== '' && sameSecret(signature, signed(key, slug, Number(digits))) && age >= 0 && age <= maxAgeMs
  return isGood ? age : undefined
}
