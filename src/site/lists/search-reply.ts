// `/search?q=`, and the same below the path of each further language: the search of the public site. Pages of results are never
// stored by caches, and search engines are asked not to index them.

import { type PublicResults, searchPublic } from './public-search.ts'
import { tooManyCalls } from '../../doors/shared/call-rate.ts'
import { Failure } from '../../base/failure.ts'
import { HttpFailure } from '../../http/failure.ts'
import { html as htmlReply, type Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import { anonymous } from '../../identity/caller.ts'
import type { IdentityServices, Services, SettingsServices } from '../../actions/call/services.ts'
import { findHomeLanguage } from '../pages/alternates.ts'
import type { Frame } from '../pages/frame.ts'
import { searchPageData, searchPath } from '../pages/page-data/search-page.ts'
import { htmlHeaders } from '../pages/public-page.ts'
import { themed } from '../pages/themed.ts'

/** The further language whose search page is at a path; null for the root's, else undefined. An entry at the path wins. */
export function findSearch(site: SettingsServices, path: string): string | null | undefined {
  if (!path.endsWith(searchPath)) return undefined
  return path === searchPath ? null : findHomeLanguage(site, path.slice(0, -searchPath.length))
}

/**
 * @param path of the search page, without the prefix of a preview
 * @param branch the further language to search in, or null for the whole site
 * @throws HttpFailure `rate_limited` for too many searches from one address; `unavailable` for one that takes too long
 */
export async function searchReply(frame: Frame, request: Request, path: string, branch: string | null): Promise<Reply> {
  const found = await search(frame.site, request, frame.origin, branch)
  const isPreview = path !== request.path
  if (!isPreview && found.query !== '' && found.results.length === 0) frame.site.statistics.foundNothing(request, found.query)
  const page = searchPageData(frame, found, branch)
  const { html } = await themed(frame, page, undefined, { origin: frame.origin, path, page: 1, version: '' })
  return htmlReply(200, html, { ...htmlHeaders, 'cache-control': 'no-store' })
}

async function search(site: Services, request: Request, origin: string, language: string | null): Promise<PublicResults> {
  const { client, signal } = request
  const query = request.query.get('q') ?? ''
  if (query.trim() !== '') takeSearch(site, client)
  const page = Number(/^[1-9]\d{0,2}$/.exec(request.query.get('page') ?? '')?.[0] ?? 1)
  try {
    return await searchPublic(site, { query, page, language, origin, client, signal })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'unavailable') throw error
    throw new HttpFailure('unavailable', error.message, undefined, { retryAfterSeconds: error.detail.retry_after, cause: error })
  }
}

/** Counts a search against the rate limit of the visitor's address. */
function takeSearch(site: IdentityServices, client: string): void {
  const rate = site.rate.takeCall(anonymous('api', client))
  if (!rate.allowed)
    throw new HttpFailure('rate_limited', tooManyCalls(rate).message, undefined, { retryAfterSeconds: rate.resetSeconds })
}
