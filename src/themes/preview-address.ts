// Signed addresses below which the whole site shows in another theme, for people without an account. They are signed with the site's key.

import { createHmac } from 'node:crypto'
import type { SiteKey } from '../identity/site-key.ts'
import { sameSecret } from '../same-secret.ts'

/** How long an address is valid, in milliseconds. */
export const previewMs = 24 * 60 * 60_000

/** The first segment of the path. No entry may have it. */
export const previewFolder = '/theme-preview'

/** The log masks texts that begin with this. */
const prefix = 'psv_'
const macLength = 43
const maxTokenLength = 300

/** The path that stands before the paths of the site in a preview, below the base path. @param until UTC milliseconds */
export function previewPath(key: SiteKey, slug: string, until: number): string {
  const payload = Buffer.from(JSON.stringify([until, slug])).toString('base64url')
  return `${previewFolder}/${prefix}${macOf(key, payload)}${payload}`
}

/** The theme and end of validity in a token; undefined for a token that this site didn't sign. The caller checks `until`. */
export function parsePreviewToken(key: SiteKey, token: string): { readonly slug: string; readonly until: number } | undefined {
  if (!token.startsWith(prefix) || token.length > maxTokenLength) return undefined
  const mac = token.slice(prefix.length, prefix.length + macLength)
  const payload = token.slice(prefix.length + macLength)
  if (!sameSecret(mac, macOf(key, payload))) return undefined
  const [until, slug] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [number, string]
  return { slug, until }
}

const macOf = (key: SiteKey, payload: string): string =>
  createHmac('sha256', key.derive('theme-preview')).update(payload).digest('base64url')
