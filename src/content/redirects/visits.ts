// Counts the redirects that visitors follow, and requests for missing pages. The counts are collected in memory and written
// periodically, so that a visit costs no write. Each process adds its own.

import { sql } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { cutText } from '../../base/cut-text.ts'
import type { Log } from '../../base/log.ts'
import { maskSecrets } from '../../base/mask.ts'
import { repeat } from '../../base/repeating.ts'
import type { Store } from '../../store/core/database.ts'

export interface Visits {
  /** Counts a followed redirect. */
  followed(redirectId: string): void
  /**
   * Counts a request for a missing page. Secrets in the path and the referrer are masked before they are stored.
   * @param referrer the header of the request
   */
  missed(path: string, referrer: string | undefined): void
  flush(): Promise<void>
  close(): Promise<void>
}

const flushMs = 30_000
/** The most paths that are counted between two writes, and the most in the table, so that random paths can't fill either. */
export const maxNoted = 500
export const maxKept = 1000
/** The time after which a path without requests is deleted. */
const keptMs = 90 * 24 * 3_600_000
const maxPathChars = 300

interface Count {
  hits: number
  last: number
  referrer: string | null
}

export function createVisits(store: Store, clock: Clock, log: Log): Visits {
  let followed = new Map<string, Count>()
  let missed = new Map<string, Count>()

  const note = (counts: Map<string, Count>, key: string, referrer: string | null) => {
    const known = counts.get(key)
    if (!known && counts.size >= maxNoted) return
    counts.set(key, { hits: (known?.hits ?? 0) + 1, last: clock.now(), referrer: referrer ?? known?.referrer ?? null })
  }
  const write = async () => {
    if (followed.size === 0 && missed.size === 0) return
    const [hits, paths] = [followed, missed]
    followed = new Map()
    missed = new Map()
    try {
      await writeCounts(store, hits, paths, clock.now())
    } catch (error) {
      // After a failed write the counts join the next ones, as far as there is room.
      followed = merged(hits, followed)
      missed = merged(paths, missed)
      log.warn('visits not written', { error })
    }
  }
  const writing = repeat(flushMs, write, (error) => log.warn('visits not written', { error }))

  return {
    followed: (id) => note(followed, id, null),
    missed(path, referrer) {
      if (isCountable(path)) note(missed, maskSecrets(path), originAndPath(referrer))
    },
    flush: () => writing.run(),
    async close() {
      await writing.stop()
      await write()
    },
  }
}

/** True for a path that a person may have asked for. Others come from vulnerability scanners, or can't be stored. */
const isCountable = (path: string): boolean => path.length <= maxPathChars && path.isWellFormed() && !controls.test(path)

// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f]/

/** A referrer without its query, which may contain secrets of the other site, and without secrets in its path. */
function originAndPath(referrer: string | undefined): string | null {
  if (referrer === undefined || referrer.length > 2000 || !/^https?:\/\//i.test(referrer)) return null
  try {
    const { origin, pathname } = new URL(referrer)
    return cutText(maskSecrets(origin + pathname), maxPathChars)
  } catch {
    return null
  }
}

function merged(older: ReadonlyMap<string, Count>, newer: ReadonlyMap<string, Count>): Map<string, Count> {
  const all = new Map(older)
  for (const [key, count] of newer) {
    const known = all.get(key)
    if (known) all.set(key, { ...count, hits: known.hits + count.hits })
    else if (all.size < maxNoted) all.set(key, count)
  }
  return all
}

function writeCounts(
  store: Store,
  followed: ReadonlyMap<string, Count>,
  missed: ReadonlyMap<string, Count>,
  now: number,
): Promise<void> {
  return store.transaction(async (db) => {
    // Every process writes in the same order, so that two processes never deadlock.
    for (const [id, { hits, last }] of sorted(followed))
      await sql`insert into redirect_hit (redirect_id, hits, last_hit) values (${id}, ${hits}, ${last})
        on conflict (redirect_id) do update set hits = redirect_hit.hits + excluded.hits, last_hit = excluded.last_hit`.execute(
        db,
      )
    for (const [path, { hits, last, referrer }] of sorted(missed))
      await sql`insert into missing_path (path, hits, last_hit, referrer) values (${path}, ${hits}, ${last}, ${referrer})
        on conflict (path) do update set hits = missing_path.hits + excluded.hits, last_hit = excluded.last_hit,
          referrer = coalesce(excluded.referrer, missing_path.referrer)`.execute(db)
    if (missed.size === 0) return
    await db
      .deleteFrom('missing_path')
      .where('last_hit', '<', now - keptMs)
      .execute()
    // The least requested paths are deleted first, so that a flood of new paths does not replace the frequent ones.
    await sql`delete from missing_path where path in (
      select path from missing_path order by hits desc, last_hit desc, path limit 1000000 offset ${maxKept})`.execute(db)
  })
}

const sorted = (counts: ReadonlyMap<string, Count>): readonly (readonly [string, Count])[] =>
  [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
