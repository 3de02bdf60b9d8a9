// Answers for paths without a page: a redirect, or 410. The visitor gets one redirect for a whole chain.

import { urlOf } from '../../content/entries/entry.ts'
import { isServedPath } from '../../actions/redirects/served-path.ts'
import { type QueryHop, splitQuery, withQuery } from '../../content/redirects/query-rules.ts'
import { findWay, findWayAfter, type RedirectHop, type Way } from '../../content/redirects/redirect-ways.ts'
import { isInternal, leadsOn } from '../../content/redirects/redirect-rules.ts'
import { html, redirect, type Reply } from '../../http/reply.ts'
import { findList } from '../lists/public-lists.ts'
import { findErrorPage, prepareErrorPage } from './error-pages.ts'
import type { Frame } from './frame.ts'
import { addressIn, siteFacts } from './page-data/site-facts.ts'
import { failurePage } from './failure-page.ts'
import { htmlHeaders } from './public-page.ts'

/** The part of a request that decides where a redirect leads. */
export interface Asked {
  /** The path below the base path. */
  readonly path: string
  /** With the query. */
  readonly target: string
}

/** The query of a request, which is added to the target's own. */
const queryOf = ({ target }: Asked): string => splitQuery(target).query ?? ''

/** Each visit is counted, so caches may not store the answer. */
const headers = { 'cache-control': 'no-store' }

/**
 * The redirect from the path of a request, or its 410. Undefined if there is no redirect, or if it leads to another missing page.
 */
export async function redirectReply(frame: Frame, asked: Asked): Promise<Reply | undefined> {
  const bare = asked.path.replace(/(.)\/$/, '$1')
  const way = await wayFrom(frame, bare)
  const reply = await replyOf(frame, way, asked)
  if (reply || bare === asked.path) return reply
  // Other systems end the addresses of their lists with a slash: `/author/jo/`, `/2019/05/`.
  const isThere = way.status === 200 || (way.hops.length === 0 && (await findList(frame, bare)) !== undefined)
  return isThere ? redirectTo(frame, bare, asked) : undefined
}

const wayFrom = ({ site }: Frame, path: string): Promise<Way> =>
  findWay(site.store.read, path, site.clock.now(), (at) => isServedPath(site.store.read, at))

/** The redirect that the query of a request decided, with what remains of the query. */
export async function queryRedirectReply(frame: Frame, { left, ...hop }: QueryHop, path: string): Promise<Reply | undefined> {
  const { store, clock } = frame.site
  const way = await findWayAfter(store.read, hop, clock.now(), (at) => isServedPath(store.read, at))
  return replyOf(frame, way, { path, target: withQuery(path, left) })
}

async function replyOf(frame: Frame, { hops, status }: Way, asked: Asked): Promise<Reply | undefined> {
  const { site, origin } = frame
  if (!frame.aside) for (const { redirect: id } of hops) if (id !== null) site.visits.followed(id)
  if (status === 410) {
    await prepareErrorPage(frame, 410, asked.path)
    return html(410, findErrorPage(frame, 410, asked.path) ?? failurePage(frame, 410, asked.path), { ...htmlHeaders, ...headers })
  }
  const last = hops.at(-1)?.to
  if (last === undefined || last === null) return undefined
  return redirect(statusOf(hops), withQuery(addressOf(await presentPath(frame, last), origin), queryOf(asked)), headers)
}

/** The address of a target; the home page for the entry that is the home page, so that nobody is redirected twice. */
const presentPath = async (frame: Frame, target: string): Promise<string> =>
  leadsOn(target) ? addressIn(await siteFacts(frame), target) : target

/** A permanent redirect to a path of the site, such as `/` for the path of the entry that is the home page. */
export const redirectTo = ({ origin }: Frame, path: string, asked: Asked): Reply =>
  redirect(301, withQuery(addressOf(path, origin), queryOf(asked)), headers)

/** The address of a target. A path gets the base path, and always begins with exactly one slash (attack 94). */
function addressOf(target: string, origin: string): string {
  if (!isInternal(target)) return target
  const base = new URL(origin).pathname.replace(/\/$/, '')
  const path = leadsOn(target) ? urlOf('', target) : target
  return base + path.replace(/^\/+/, '/')
}

/** The status of a chain: permanent only if each step is, and method-preserving if one step is. */
function statusOf(hops: readonly RedirectHop[]): number {
  const isForGood = hops.every(({ status }) => status === 301 || status === 308)
  const keepsMethod = hops.some(({ status }) => status === 307 || status === 308)
  return isForGood ? (keepsMethod ? 308 : 301) : keepsMethod ? 307 : 302
}
