// Finished public pages, kept while nothing on the site has changed. Each host that advertises itself has its own (ATTACKS 18, 24).

import { LRUCache } from 'lru-cache'
import type { Freshness } from '../actions/freshness.ts'
import { etagOf } from '../http/conditional.ts'
import type { Reply } from '../http/reply.ts'

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
  find(key: PageKey): Reply | undefined
  keep(key: PageKey, reply: Reply, madeAt: number): void
  /** What a page must have been made at to be kept. */
  readonly generation: number
}

const maxBytes = 32 * 1024 ** 2

/** A cache that is empty again as soon as the site's generation moves on. */
export function createPageCache(freshness: Freshness): PageCache {
  const pages = new LRUCache<string, Reply>({
    maxSize: maxBytes,
    sizeCalculation: (reply, key) => bytesOf(reply).byteLength + key.length + 500,
  })
  let generation = freshness.generation
  const clearIfStale = () => {
    if (generation === freshness.generation) return
    generation = freshness.generation
    pages.clear()
  }
  return {
    get generation() {
      return freshness.generation
    },
    find(key) {
      clearIfStale()
      return pages.get(nameOf(key))
    },
    keep(key, reply, madeAt) {
      clearIfStale()
      if (madeAt === generation) pages.set(nameOf(key), reply)
    },
  }
}

const nameOf = ({ origin, form, path, page }: PageKey): string => `${origin} ${form} ${page} ${path}`

const bytesOf = (reply: Reply): Uint8Array => (reply.body && 'bytes' in reply.body ? reply.body.bytes : new Uint8Array())

/** A page's answer: encoded once, with the tag by which a reader asks whether it has changed. */
export function pageReply(status: number, text: string, headers: Readonly<Record<string, string>>): Reply {
  const bytes = Buffer.from(text)
  return { status, headers: { ...headers, etag: etagOf(bytes) }, body: { bytes } }
}
