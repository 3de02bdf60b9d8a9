// Addresses by which a protected file is fetched without a token: for one file, good for an hour, made with the site's key.

import { createHmac } from 'node:crypto'
import type { SiteKey } from '../identity/site-key.ts'
import { sameSecret } from '../same-secret.ts'

/** How long an address is good, in milliseconds. Ending an account or a token ends none that it was given. */
export const signedMs = 60 * 60_000

/** The log blanks what begins so. */
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

/** What a token was made for; undefined for one that this site didn't make. Whether it is still good, `until` says. */
export function readToken(key: SiteKey, token: string): { readonly id: string; readonly until: number } | undefined {
  if (!token.startsWith(prefix) || token.length > maxTokenLength) return undefined
  const mac = token.slice(prefix.length, prefix.length + macLength)
  const payload = token.slice(prefix.length + macLength)
  if (!sameSecret(mac, macOf(key, payload))) return undefined
  const [until, id] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [number, string]
  return { id, until }
}

const macOf = (key: SiteKey, payload: string): string =>
  createHmac('sha256', key.derive('signed-file')).update(payload).digest('base64url')
