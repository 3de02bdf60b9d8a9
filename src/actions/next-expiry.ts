// Finds the time at which the next entry leaves the public site. Pages that show entries are computed anew from then on, also while
// the schedule that takes them off the site is late, or can't write.

import type { Services } from './services.ts'

type Parts = Pick<Services, 'freshness' | 'store'>

/** What was asked last. */
export interface NextExpiry {
  readonly generation: number
  readonly since: number
  readonly at: Promise<number>
  /** The answer, once it is there. */
  until: number
}

const never = Number.MAX_SAFE_INTEGER

/**
 * The first `unpublish_at` of any entry after a time, which must not lie ahead; far in the future if there is none. One query,
 * until something changes or an entry expires.
 * @param site the site itself, so that no page depends on this query
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
