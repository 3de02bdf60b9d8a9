// Public pages in memory. Each host name has its own pages (ATTACKS 18, 24). Requests for the same page at the same time share the work.

import type { Freshness } from '../actions/freshness.ts'
import { createStandingCache } from '../actions/standing-cache.ts'
import { etagOf } from '../http/conditional.ts'
import type { Reply } from '../http/reply.ts'
import type { CacheCounts } from '../metrics.ts'

/** The key of a page: everything in the request that the page depends on. */
export interface PageKey {
  /** Scheme, host and base path. */
  readonly origin: string
  readonly form: 'html' | 'markdown'
  readonly path: string
  /** The number of a page of a list; 1 for everything else. */
  readonly page: number
}

export interface PageCache {
  /** The page, if it is in the cache. */
  find(key: PageKey): Reply | undefined
  /** The page, made if it isn't in the cache. Errors of `make` are not cached. */
  load(key: PageKey, make: () => Promise<Reply>): Promise<Reply>
}

const maxBytes = 32 * 1024 ** 2

/** A cache that is cleared with every change of the site. Replies with `no-store` are not cached. */
export function createPageCache(freshness: Freshness, counts: CacheCounts): PageCache {
  const sizeOf = (reply: Reply, key: string): number =>
    reply.headers['cache-control'] === 'no-store' ? maxBytes + 1 : bytesOf(reply) + 2 * key.length + 500
  const pages = createStandingCache<Reply>(freshness, { maxBytes, sizeOf, counts })
  return { find: (key) => pages.get(nameOf(key)), load: (key, make) => pages.load(nameOf(key), make) }
}

const nameOf = ({ origin, form, path, page }: PageKey): string => `${origin} ${form} ${page} ${path}`

const bytesOf = ({ body }: Reply): number => (body && 'bytes' in body ? body.bytes.byteLength : 0)

/** The reply with a page, encoded once, with an ETag. The headers are frozen so that their lines are made only once. */
export function pageReply(status: number, text: string, headers: Readonly<Record<string, string>>): Reply {
  const bytes = Buffer.from(text)
  return { status, headers: Object.freeze({ ...headers, etag: etagOf(bytes) }), body: { bytes } }
}
