// Finished public pages. Each host that advertises itself has its own (ATTACKS 18, 24), and readers who ask for one at once share the work.

import type { Freshness } from '../actions/freshness.ts'
import { createStandingCache } from '../actions/standing-cache.ts'
import { etagOf } from '../http/conditional.ts'
import type { Reply } from '../http/reply.ts'
import type { CacheCounts } from '../metrics.ts'

/** What a page is kept under: everything of the request that it depends on. */
export interface PageKey {
  /** Scheme, host and base path. */
  readonly origin: string
  readonly form: 'html' | 'markdown'
  readonly path: string
  /** Of a list; 1 elsewhere. */
  readonly page: number
}

export interface PageCache {
  /** The page at once where it is kept. */
  find(key: PageKey): Reply | undefined
  /** The page, made where it isn't kept. What `make` throws is not kept. */
  load(key: PageKey, make: () => Promise<Reply>): Promise<Reply>
}

const maxBytes = 32 * 1024 ** 2

/** A cache for as long as the site stands as it is. What says `no-store` isn't kept here either. */
export function createPageCache(freshness: Freshness, counts: CacheCounts): PageCache {
  const sizeOf = (reply: Reply, key: string): number =>
    reply.headers['cache-control'] === 'no-store' ? maxBytes + 1 : bytesOf(reply) + 2 * key.length + 500
  const pages = createStandingCache<Reply>(freshness, { maxBytes, sizeOf, counts })
  return { find: (key) => pages.get(nameOf(key)), load: (key, make) => pages.load(nameOf(key), make) }
}

const nameOf = ({ origin, form, path, page }: PageKey): string => `${origin} ${form} ${page} ${path}`

const bytesOf = ({ body }: Reply): number => (body && 'bytes' in body ? body.bytes.byteLength : 0)

/** A page's answer: encoded once, with the tag by which a reader asks whether it has changed. Frozen headers are made lines of once. */
export function pageReply(status: number, text: string, headers: Readonly<Record<string, string>>): Reply {
  const bytes = Buffer.from(text)
  return { status, headers: Object.freeze({ ...headers, etag: etagOf(bytes) }), body: { bytes } }
}
