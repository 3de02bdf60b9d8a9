// Client ids are stateless: each contains the registration and the site's signature, so that no registration is stored. An id has
// one spelling and never expires. register.ts checks the registration.

import { createHmac, randomBytes } from 'node:crypto'
import type { SiteKey } from '../../identity/site-key.ts'
import { sameSecret } from '../../base/same-secret.ts'

/** The registration of a client. */
export interface Client {
  /** The registered redirect URIs, at least one. */
  readonly redirectUris: readonly string[]
  /** The client's name for itself, on one line; `''` if it has none. */
  readonly name: string
  /** True if it registered for the grant `refresh_token`. */
  readonly refreshes: boolean
  /** The time of the registration, in seconds since 1970. */
  readonly issuedAt: number
}

/** The longest id. It fits a request line of 8 KiB. */
export const maxClientIdBytes = 4096

const purpose = 'oauth-client'
const macLength = 43
const form = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/

interface Payload {
  readonly v: 1
  readonly redirect_uris: readonly string[]
  readonly name: string
  readonly iat: number
  readonly refresh: boolean
  /** Random, so that equal registrations in the same second get different ids. */
  readonly jti: string
}

/** Makes a new id for a client: `base64url(payload).base64url(HMAC-SHA-256)`. The caller checks its length. */
export function makeClientId(key: SiteKey, { redirectUris, name, refreshes, issuedAt }: Client): string {
  const jti = randomBytes(6).toString('base64url')
  const payload: Payload = { v: 1, redirect_uris: redirectUris, name, iat: issuedAt, refresh: refreshes, jti }
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${text}.${macOf(key.derive(purpose), text)}`
}

/**
 * Parses a client id; undefined for any text that is not an id of this site in its one spelling, such as base64 of another
 * alphabet, with padding or spare bits, a second dot, or a URL (attacks 33 to 35).
 */
export function parseClientId(key: SiteKey, id: string): Client | undefined {
  if (id.length > maxClientIdBytes) return undefined
  const [, text = '', mac = ''] = form.exec(id) ?? []
  if (mac.length !== macLength) return undefined
  // The signature covers the encoded text, and signatures are compared as text: no other spelling of either can match.
  const signed = key.deriveAll(purpose).some((one) => sameSecret(macOf(one, text), mac))
  return signed ? clientOf(JSON.parse(Buffer.from(text, 'base64url').toString()) as Payload) : undefined
}

const macOf = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('base64url')

function clientOf(payload: Payload): Client {
  return { redirectUris: payload.redirect_uris, name: payload.name, refreshes: payload.refresh, issuedAt: payload.iat }
}
