// A cache with a limit in bytes. Its owner invalidates keys. A value whose load began before an invalidation is never cached.

import { LRUCache } from 'lru-cache'
import type { CacheCounts } from '../../base/metrics.ts'

export interface ByteCache<V> {
  /** Returns the cached value; undefined if there is none. */
  get(key: string): V | undefined
  /**
   * Returns the cached value, or loads it with `loader`. A loaded value is cached unless it is undefined or null, or something was
   * invalidated since the load began. Simultaneous loads of one key share one call of `loader`.
   */
  load(key: string, loader: (key: string) => Promise<V>): Promise<V>
  /** Invalidates one key. Values that are still loading are not cached. */
  delete(key: string): void
  /** Invalidates everything. Values that are still loading are not cached. */
  clear(): void
  /** Bytes of all cached values, as `sizeOf` counts them. */
  readonly bytes: number
}

export interface ByteCacheOptions<V> {
  readonly maxBytes: number
  /** Bytes of a value; a value larger than `maxBytes` is never cached. */
  readonly sizeOf: (value: V & {}, key: string) => number
  readonly counts?: CacheCounts | undefined
}

export function createByteCache<V>({ maxBytes, sizeOf, counts }: ByteCacheOptions<V>): ByteCache<V> {
  const { hits, misses } = counts ?? { hits: { value: 0 }, misses: { value: 0 } }
  const kept = new LRUCache<string, V & {}>({
    maxSize: maxBytes,
    // The library refuses a size of zero.
    sizeCalculation: (value, key) => Math.max(1, Math.ceil(sizeOf(value, key))),
  })
  const loads = new Map<string, Promise<V>>()
  let generation = 0

  const loadNew = async (key: string, loader: (key: string) => Promise<V>): Promise<V> => {
    const begun = generation
    misses.value += 1
    const value = await loader(key)
    if (generation === begun && value !== undefined && value !== null) kept.set(key, value)
    return value
  }

  return {
    get(key) {
      const hit = kept.get(key)
      if (hit !== undefined) hits.value += 1
      return hit
    },
    load(key, loader) {
      const hit = kept.get(key)
      if (hit !== undefined) {
        hits.value += 1
        return Promise.resolve(hit)
      }
      const running = loads.get(key)
      if (running) return running
      const load = loadNew(key, loader).finally(() => {
        if (loads.get(key) === load) loads.delete(key)
      })
      loads.set(key, load)
      return load
    },
    delete(key) {
      generation++
      loads.delete(key)
      kept.delete(key)
    },
    clear() {
      generation++
      loads.clear()
      kept.clear()
    },
    get bytes() {
      return kept.calculatedSize
    },
  }
}
