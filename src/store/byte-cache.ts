// A cache with a cap in bytes that never keeps what an invalidation has overtaken. What goes stale when is the owner's to say.

import { LRUCache } from 'lru-cache'

export interface ByteCache<V> {
  /** What is kept, at once; undefined when it isn't. */
  get(key: string): V | undefined
  /**
   * What is kept, or what `loader` finds. It is kept unless it is undefined or null, or something was invalidated since the load began.
   * Loads of one key at the same time are one load.
   */
  load(key: string, loader: (key: string) => Promise<V>): Promise<V>
  /** Forgets one key; loads under way are not kept. */
  delete(key: string): void
  /** Forgets everything; loads under way are not kept. */
  clear(): void
  /** Bytes kept, as `sizeOf` counts them. */
  readonly bytes: number
}

/** @param options.sizeOf bytes of a value; one larger than `maxBytes` is never kept */
export function createByteCache<V>(options: { maxBytes: number; sizeOf: (value: V & {}, key: string) => number }): ByteCache<V> {
  const { maxBytes, sizeOf } = options
  const kept = new LRUCache<string, V & {}>({
    maxSize: maxBytes,
    // The library refuses a size of zero.
    sizeCalculation: (value, key) => Math.max(1, Math.ceil(sizeOf(value, key))),
  })
  const loads = new Map<string, Promise<V>>()
  let generation = 0

  const loadNew = async (key: string, loader: (key: string) => Promise<V>): Promise<V> => {
    const begun = generation
    const value = await loader(key)
    if (generation === begun && value !== undefined && value !== null) kept.set(key, value)
    return value
  }

  return {
    get: (key) => kept.get(key),
    load(key, loader) {
      const hit = kept.get(key)
      if (hit !== undefined) return Promise.resolve(hit)
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
