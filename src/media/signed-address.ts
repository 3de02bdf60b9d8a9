// Signed addresses, by which one protected file can be fetched without a token for an hour. They are signed with the site's key.

import { createHmac } from 'node:crypto'
import type { SiteKey } from '../identity/site-key.ts'
import { sameSecret } from '../same-secret.ts'

/** How long an address is valid, in milliseconds. It stays valid when the account or token that got it ends. */
export const signedMs = 60 * 60_000

/** The log masks texts that begin with this. */
const prefix = 'psf_'
const macLength = 43
const maxTokenLength = 4000

/** The path of a file's address, below the base path. @param until UTC milliseconds */
export function signedPath(
  key: SiteKey,
  { id, filename }: { readonly id: string; readonly filename: string },
  until: number,
): string {
  const payload = Buffer.from(JSON.stringify([until, id])).toString('base64url')
  return `/user-content/signed/${prefix}${macOf(key, payload)}${payload}/${encodeURIComponent(filename)}`
}

/** The file and end of validity in a token; undefined for a token that this site didn't sign. The caller checks `until`. */
export function parseSignedToken(key: SiteKey, token: string): { readonly id: string; readonly until: number } | undefined {
  if (!token.startsWith(prefix) || token.length > maxTokenLength) return undefined
  const mac = token.slice(prefix.length, prefix.length + macLength)
  const payload = token.slice(prefix.length + macLength)
  if (!sameSecret(mac, macOf(key, payload))) return undefined
  const [until, id] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [number, string]
  return { id, until }
}

const macOf = (key: SiteKey, payload: string): string =>
  createHmac('sha256', key.derive('signed-file')).update(payload).digest('base64url')
