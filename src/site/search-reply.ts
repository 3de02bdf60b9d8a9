// `/search?q=`: the search of the public site. Pages of results are never stored by caches, and search engines are asked not to index them.

import { type PublicResults, searchPublic } from '../actions/public-search.ts'
import { retryHeaders, tooManyCalls } from '../doors/call-rate.ts'
import { baseOf } from '../doors/paths.ts'
import { Failure } from '../failure.ts'
import { HttpFailure } from '../http/failure.ts'
import { html as htmlReply, type Reply } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import { anonymous } from '../identity/caller.ts'
import type { Services } from '../actions/services.ts'
import type { Link } from './layout.ts'
import { htmlHeaders, identityOf, mainMenu } from './public-page.ts'
import { searchPage } from './search-page.ts'

/** The path of the page. An entry that has it wins. */
export const searchPath = '/search'

/** What the page shows, without any markup. */
export interface SearchView extends PublicResults {
  /** The address to which the form sends its query. */
  readonly action: string
  readonly newer: string | undefined
  readonly older: string | undefined
  /** The query in another spelling, and the page of its results. */
  readonly meant: Link | undefined
}

/** @throws HttpFailure `rate_limited` for too many searches from one address; `unavailable` for one that takes too long */
export async function searchReply(site: Services, request: Request): Promise<Reply> {
  const frame = { site, origin: baseOf(request) }
  const view = await searchView(site, request)
  const page = searchPage({ site: identityOf(frame), view, menu: await mainMenu(frame, searchPath, null) })
  return htmlReply(200, page, { ...htmlHeaders, 'cache-control': 'no-store' })
}

async function searchView(site: Services, request: Request): Promise<SearchView> {
  const origin = baseOf(request)
  const action = `${origin}${searchPath}`
  const addressOf = (query: string, page = 1) => `${action}?q=${encodeURIComponent(query)}${page === 1 ? '' : `&page=${page}`}`
  const found = await search(site, request, origin)
  const { query, page, more, didYouMean } = found
  return {
    ...found,
    action,
    newer: page > 1 ? addressOf(query, page - 1) : undefined,
    older: more ? addressOf(query, page + 1) : undefined,
    meant: didYouMean === null ? undefined : { label: didYouMean, href: addressOf(didYouMean) },
  }
}

async function search(site: Services, request: Request, origin: string): Promise<PublicResults> {
  const { client, signal } = request
  const query = request.query.get('q') ?? ''
  if (query.trim() !== '') takeSearch(site, client)
  const page = Number(/^[1-9]\d{0,2}$/.exec(request.query.get('page') ?? '')?.[0] ?? 1)
  try {
    return await searchPublic(site, { query, page, origin, client, signal })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'unavailable') throw error
    throw new HttpFailure('unavailable', error.message, retryHeaders(error), { cause: error })
  }
}

/** Counts a search among the calls of the visitor's address. */
function takeSearch(site: Services, client: string): void {
  const rate = site.rate.takeCall(anonymous('api', client))
  if (!rate.allowed)
    throw new HttpFailure('rate_limited', tooManyCalls(rate).message, { 'retry-after': String(rate.resetSeconds) })
}
