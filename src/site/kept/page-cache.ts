// The cache of public pages, separate for each host name (attacks 18, 24). Simultaneous requests for a page share the work.

import { createReadingCache } from './reading-cache.ts'
import type { Services } from '../../actions/call/services.ts'
import { etagOf } from '../../http/conditional.ts'
import type { Reply } from '../../http/reply.ts'
import { cacheCounts } from '../../base/metrics.ts'

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
  /**
   * Returns the cached page, or makes it. Errors of `make` are not cached.
   * @param make gets a view of the site, which records what the page reads. A change of that data drops the page
   */
  load(key: PageKey, make: (site: Services) => Promise<Reply>): Promise<Reply>
}

const maxBytes = 32 * 1024 ** 2

/** Creates a cache that drops a page when something that the page has read changes. Replies with `no-store` are not cached. */
export function createPageCache(site: Services): PageCache {
  const sizeOf = (reply: Reply, key: string): number =>
    String(reply.headers['cache-control']).includes('no-store') ? maxBytes + 1 : bytesOf(reply) + 2 * key.length + 500
  const pages = createReadingCache<Reply>(site, { maxBytes, sizeOf, counts: cacheCounts(site.metrics, 'pages') })
  return { find: (key) => pages.find(site, nameOf(key)), load: (key, make) => pages.load(site, nameOf(key), make) }
}

const nameOf = ({ origin, form, path, page }: PageKey): string => `${origin} ${form} ${page} ${path}`

const bytesOf = ({ body }: Reply): number => (body && 'bytes' in body ? body.bytes.byteLength : 0)

/** The reply with a page, encoded once, with an ETag. The headers are frozen so that their lines are made only once. */
export function pageReply(text: string, headers: Readonly<Record<string, string>>): Reply {
  const bytes = Buffer.from(text)
  return { status: 200, headers: Object.freeze({ ...headers, etag: etagOf(bytes) }), body: { bytes } }
}
