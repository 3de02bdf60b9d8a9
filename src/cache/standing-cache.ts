// A cache of values computed from the site. Any change of the site, in this or another process, clears it.

import { type ByteCache, type ByteCacheOptions, createByteCache } from '../store/core/byte-cache.ts'
import type { Freshness } from './freshness.ts'

export type StandingCache<V> = Pick<ByteCache<V>, 'get' | 'load'>

/** @param options as for `createByteCache` */
export function createStandingCache<V>(freshness: Pick<Freshness, 'generation'>, options: ByteCacheOptions<V>): StandingCache<V> {
  const kept = createByteCache<V>(options)
  let generation = freshness.generation
  const current = (): ByteCache<V> => {
    if (generation !== freshness.generation) {
      generation = freshness.generation
      kept.clear()
    }
    return kept
  }
  return { get: (key) => current().get(key), load: (key, loader) => current().load(key, loader) }
}
