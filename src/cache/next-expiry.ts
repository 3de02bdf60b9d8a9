// Finds the time at which the next entry expires. Pages with entries are recomputed at that time, even if the schedule that
// unpublishes the entry is late or can't write.

import type { Store } from '../store/core/database.ts'
import type { Freshness } from './freshness.ts'

interface Parts {
  readonly freshness: Freshness
  readonly store: Store
}

/** The latest query, and the times between which its answer is valid. */
export interface NextExpiry {
  readonly generation: number
  readonly since: number
  readonly at: Promise<number>
  /** The time in the answer, once it is known. */
  until: number
}

const never = Number.MAX_SAFE_INTEGER

/**
 * Returns the first `unpublish_at` after a time, which must not be in the future; `never` if there is none. The query is repeated
 * only after a change, or after an entry has expired.
 * @param site the site itself, not a view, so that no page depends on this query
 */
export function findNextExpiry(site: Parts, after: number): Promise<number> {
  const { freshness } = site
  const { generation, nextExpiry: known } = freshness
  if (known?.generation === generation && known.since <= after && after < known.until) return known.at
  const at = readNextExpiry(site, after)
  const asking: NextExpiry = { generation, since: after, at, until: never }
  freshness.nextExpiry = asking
  at.then(
    (found) => (asking.until = found),
    () => (freshness.nextExpiry = undefined),
  )
  return at
}

async function readNextExpiry({ store }: Parts, after: number): Promise<number> {
  const row = await store.read
    .selectFrom('entry')
    .select('unpublish_at')
    .where('unpublish_at', '>', after)
    .orderBy('unpublish_at')
    .limit(1)
    .executeTakeFirst()
  return row?.unpublish_at ?? never
}
