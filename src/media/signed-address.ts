// Signed addresses. Each serves a protected file without a token for an hour, if the caller who got it still has access.

import type { Caller } from '../identity/caller.ts'
import { sealLink } from '../identity/signed-link.ts'
import type { SiteKey } from '../identity/site-key.ts'

/** The time for which an address is valid, in milliseconds. */
export const signedMs = 60 * 60_000

/** The path of a file's address, below the base path. @param until UTC milliseconds */
export function signedPath(
  key: SiteKey,
  { id, filename }: { readonly id: string; readonly filename: string },
  until: number,
  caller: Caller,
): string {
  return `/user-content/signed/${sealLink(key, 'file', { id, until }, caller)}/${encodeURIComponent(filename)}`
}
