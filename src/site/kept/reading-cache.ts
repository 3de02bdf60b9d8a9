// A cache whose values record the areas of the site that they read. A change of the site invalidates only the values that read a
// changed area. `cache/standing-cache.ts` is for values that any change invalidates.

import { LRUCache } from 'lru-cache'
import type { CacheCounts } from '../../base/metrics.ts'
import type { AreaNotes } from '../../cache/area-versions.ts'
import { findNextExpiry } from '../../cache/next-expiry.ts'
import { viewOf } from './recorded-site.ts'
import type { Services } from '../../actions/call/services.ts'
import { dayAround } from '../../settings/time-zone.ts'

export interface ReadingCache<V> {
  /** Returns the cached value if it is still valid. */
  find(site: Services, key: string): V | undefined
  /**
   * Returns the cached value, or computes it. Simultaneous calls for a key share one computation. Errors of `make` are not cached.
   * @param make must read through the view of the site that it gets, which records the areas
   */
  load(site: Services, key: string, make: (site: Services) => Promise<V>): Promise<V>
}

export interface ReadingCacheOptions<V> {
  readonly maxBytes: number
  /** Bytes of a value. A value larger than `maxBytes` is not cached. */
  readonly sizeOf: (value: V, key: string) => number
  readonly counts?: CacheCounts | undefined
}

interface Kept<V> {
  readonly value: V
  readonly notes: AreaNotes
  /** The time of the computation, and the time at which the value expires. */
  readonly since: number
  readonly until: number
  /** The latest generation in which the value was found valid. */
  generation: number
}

/**
 * Values expire after this time, and at midnight in the site's time zone, because a theme may show today's date, and lists may
 * leave out what is over.
 */
const maxAgeMs = 60 * 60_000

/** The approximate memory of one recorded area. Most names are shared with other values. */
const bytesOfArea = 60

/** Creates a cache. If one cached value contains another, such as a menu in a page, the outer value gets the inner one's areas. */
export function createReadingCache<V extends object | string>(
  { freshness, clock }: Pick<Services, 'freshness' | 'clock'>,
  { maxBytes, sizeOf, counts }: ReadingCacheOptions<V>,
): ReadingCache<V> {
  const versions = freshness.areas
  const kept = new LRUCache<string, Kept<V>>({
    maxSize: maxBytes,
    sizeCalculation: ({ value, notes }, key) => Math.max(1, Math.ceil(sizeOf(value, key)) + bytesOfArea * notes.areas.size),
    dispose: ({ notes }) => notes.release(),
  })
  let loads = new Map<string, Promise<Kept<V>>>()
  let loadsOf = versions.generation

  const holds = (one: Kept<V>): boolean => {
    const { generation } = versions
    const now = clock.now()
    // The second condition is for a clock that was set back.
    if (now >= one.until || now < one.since) return false
    if (one.generation === generation) return true
    if (one.notes.isRaised(one.generation)) return false
    one.generation = generation
    return true
  }
  const find: ReadingCache<V>['find'] = (site, key) => {
    const one = kept.get(key)
    if (!one) return undefined
    if (!holds(one)) {
      kept.delete(key)
      return undefined
    }
    if (counts) counts.hits.value += 1
    passOn(site, one.notes)
    return one.value
  }
  const compute = async (key: string, site: Services, make: (site: Services) => Promise<V>): Promise<Kept<V>> => {
    const { generation } = versions
    const since = clock.now()
    if (counts) counts.misses.value += 1
    const notes = versions.note()
    try {
      const expiry = await findNextExpiry(site, since)
      const value = await make(viewOf(site, notes))
      // A change during the computation may have added an earlier expiry before the value recorded its area.
      const changed = versions.generation !== generation
      const midnight = dayAround(since, site.settings.values.time_zone).end + 1
      const until = Math.min(changed ? await findNextExpiry(site, since) : expiry, since + maxAgeMs, midnight)
      const one = { value, notes, since, until, generation }
      if (holds(one)) kept.set(key, one)
      return one
    } finally {
      if (kept.peek(key)?.notes !== notes) notes.release()
    }
  }
  /** Returns the computations that began in this generation. A call after a change must not share an older one. */
  const runningLoads = (): Map<string, Promise<Kept<V>>> => {
    if (loadsOf === versions.generation) return loads
    loadsOf = versions.generation
    return (loads = new Map())
  }

  return {
    find,
    async load(site, key, make) {
      const found = find(site, key)
      if (found !== undefined) return found
      const running = runningLoads()
      const load = running.get(key) ?? compute(key, site.view?.site ?? site, make).finally(() => running.delete(key))
      running.set(key, load)
      const { value, notes } = await load
      passOn(site, notes)
      return value
    },
  }
}

/** Adds the areas of a value to the value that is being made from it, if any. */
const passOn = (site: Services, notes: AreaNotes): void => site.view?.notes.addAll(notes)

/** Returns a function that gives each site its own cache, created on first use. The views of a site share its cache. */
export function readingCaches<V extends object | string>(options: ReadingCacheOptions<V>): (site: Services) => ReadingCache<V> {
  return (site) => {
    const caches = site.freshness.readingCaches as Map<object, ReadingCache<V>>
    const known = caches.get(options)
    if (known) return known
    const made = createReadingCache<V>(site, options)
    caches.set(options, made)
    return made
  }
}
