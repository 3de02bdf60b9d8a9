// The requests that are counted: those with which a person opens a page, as far as headers tell.

import type { Request } from '../http/request.ts'
import type { SettingValues } from '../settings/definitions.ts'

/** The part of a request that statistics read. */
export type VisitRequest = Pick<Request, 'method' | 'target' | 'query' | 'client' | 'host' | 'scheme' | 'header'>

/** The kind of thing that a browser asks for: a page, a file to keep, or the image in a page. */
export type CountedKind = 'document' | 'download' | 'image'

/** The values of `Sec-Fetch-Dest` for each. Programs and old browsers send none. @see Fetch Metadata Request Headers §2.1 */
const destinations: Readonly<Record<CountedKind, readonly string[]>> = {
  document: ['document'],
  download: ['document', 'empty'],
  image: ['image'],
}

/** The cookie of the admin, under each of its names (`admin/cookies.ts`). A browser has it while somebody is signed in. */
const signedIn = /(?:^|;\s*)(?:__Host-|__Secure-)?postern=/

/**
 * True if a request counts. Those of HEAD, of frames, of browsers that load pages in advance, and of people who are signed in
 * don't. Neither do those of visitors who ask not to be tracked, if the owner obeys that.
 */
export function isCounted(
  request: Pick<VisitRequest, 'method' | 'header'>,
  wanted: CountedKind,
  { statistics_obey_opt_out: obeys }: Pick<SettingValues, 'statistics_obey_opt_out'>,
): boolean {
  if (request.method !== 'GET') return false
  const destination = request.header('sec-fetch-dest')
  if (destination !== undefined && !destinations[wanted].includes(destination)) return false
  if (isPrefetch(request)) return false
  if (obeys && (request.header('dnt') === '1' || request.header('sec-gpc') === '1')) return false
  const cookie = request.header('cookie')
  return cookie === undefined || !signedIn.test(cookie)
}

/** `Purpose` and `X-Moz` are the headers of older browsers. */
function isPrefetch(request: Pick<VisitRequest, 'header'>): boolean {
  const purpose = request.header('sec-purpose') ?? request.header('purpose') ?? request.header('x-moz')
  return purpose !== undefined && /prefetch|prerender/i.test(purpose)
}
