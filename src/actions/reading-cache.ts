// A cache of values that note the areas of the site which they read. A change of the site drops only the values that read an area which
// it raised. `standing-cache.ts` is for values that any change drops.

import { LRUCache } from 'lru-cache'
import type { CacheCounts } from '../metrics.ts'
import type { AreaNotes } from './area-versions.ts'
import { findNextExpiry } from './next-expiry.ts'
import { findNotes, siteBehind, viewOf } from './recorded-site.ts'
import type { Services } from './services.ts'

export interface ReadingCache<V> {
  /** The value, if it is kept and still holds. */
  find(site: Services, key: string): V | undefined
  /**
   * The value, computed if it isn't kept. Simultaneous calls for a key share the work. Errors of `make` are not kept.
   * @param make gets a view of the site, through which it must read: what it reads there decides when the value is dropped
   */
  load(site: Services, key: string, make: (site: Services) => Promise<V>): Promise<V>
}

export interface ReadingCacheOptions<V> {
  readonly maxBytes: number
  /** Bytes of a value. One that is larger than `maxBytes` is not kept. */
  readonly sizeOf: (value: V, key: string) => number
  readonly counts?: CacheCounts | undefined
}

interface Kept<V> {
  readonly value: V
  readonly notes: AreaNotes
  /** The time at which it was computed, and the end of the time for which it holds if nothing changes. */
  readonly since: number
  readonly until: number
  /** The generation of the site at which the value was found to hold. */
  generation: number
}

/** A value is computed anew after this time, because a theme may show the date of today. */
const maxAgeMs = 60 * 60_000

/** About what one noted area takes. Most names are shared with other values. */
const bytesOfArea = 60

/** A value that is part of another one, such as a menu in a page, passes on its areas. @param site the site, or a view of it */
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
    // Also where the clock was set back.
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
      // A change may have brought an earlier expiry before an area of it was noted.
      const changed = versions.generation !== generation
      const until = Math.min(changed ? await findNextExpiry(site, since) : expiry, since + maxAgeMs)
      const one = { value, notes, since, until, generation }
      if (holds(one)) kept.set(key, one)
      return one
    } finally {
      if (kept.peek(key)?.notes !== notes) notes.release()
    }
  }
  /** Work that began before a change is shared with nobody who asks after it. */
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
      const load = running.get(key) ?? compute(key, siteBehind(site), make).finally(() => running.delete(key))
      running.set(key, load)
      const { value, notes } = await load
      passOn(site, notes)
      return value
    },
  }
}

/** A value that is made from another one depends on the areas of both. */
const passOn = (site: Services, notes: AreaNotes): void => findNotes(site)?.addAll(notes)

/** A cache for each site, made when somebody first asks for it. The views of a site share it. */
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
