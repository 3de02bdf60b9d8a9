// CSRF tokens in forms: another site can make a browser send a form, but can't know the token. Each token is valid for one
// session (or one browser that isn't signed in yet) and one purpose. It ends with the session.

import { createHmac } from 'node:crypto'
import { sameSecret } from '../base/same-secret.ts'
import type { SiteKey } from './site-key.ts'

/**
 * The CSRF token of a form.
 * @param holder the session or browser of the form
 * @param purpose the action of the form
 */
export function csrfToken(key: SiteKey, holder: string, purpose: string): string {
  return createHmac('sha256', key.derive('csrf'))
    .update(JSON.stringify([holder, purpose]))
    .digest('base64url')
}

/** True if a text is the CSRF token of this holder for this purpose (attack 69). */
export function isCsrfToken(key: SiteKey, holder: string, purpose: string, text: string): boolean {
  return sameSecret(text, csrfToken(key, holder, purpose))
}
