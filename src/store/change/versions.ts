// One counter per area, in the table `version`. Each commit that makes an area stale raises its counter. Processes compare counters
// to find stale caches, and the subscriber clears these caches.

import type { Transaction } from 'kysely'
import { compileOnce } from '../core/compile-once.ts'
import type { Store } from '../core/database.ts'
import { queueWrite } from '../core/queued-writes.ts'
import type { Schema } from '../core/schema.ts'

/**
 * Raises the counters of areas, in the transaction that changes them, and returns the new values. The areas are sorted, so that two
 * writers don't deadlock on a database with row locks.
 */
export async function raiseCounters<A extends string>(
  db: Transaction<Schema>,
  areas: readonly A[],
): Promise<ReadonlyMap<A, number>> {
  if (areas.length === 0) return new Map()
  const sorted = [...new Set(areas)].sort()
  const raise = compileOnce(db, `raise ${sorted.join(' ')}`, () =>
    db
      .insertInto('version')
      .values(sorted.map((area) => ({ area, counter: 1 })))
      .onConflict((on) => on.column('area').doUpdateSet((eb) => ({ counter: eb('version.counter', '+', 1) }))),
  )
  const read = compileOnce(db, `raised ${sorted.join(' ')}`, () =>
    db.selectFrom('version').select(['area', 'counter']).where('area', 'in', sorted),
  )
  // A statement and a query, because SQLite runs the query in the same trip as all queued statements.
  queueWrite(db, { query: raise })
  const { rows } = await db.executeQuery(read)
  return new Map(rows.map(({ area, counter }) => [area as A, counter]))
}

/** The counters of an area that commits of other processes have raised: those after `after`, up to `to`. */
export interface Raised {
  readonly after: number
  readonly to: number
}

export interface VersionWatch<A extends string> {
  /**
   * Records that a commit of this process raised the counter of an area to `counter`. If the known counter is more than one lower,
   * another process has committed in between, and `onChange` is called. Resolves after `onChange`.
   */
  note(area: A, counter: number): Promise<void> | undefined
  /**
   * Reads the counters now. Resolves after `onChange` for each raised area. @throws the errors of the database and of `onChange`
   */
  check(): Promise<void>
  stop(): void
}

export interface VersionWatchOptions<A extends string> {
  readonly areas: readonly A[]
  /**
   * Called for each area that another process has changed. If it throws, it is called again at the next look.
   * @param raised undefined if the changes are unknown
   */
  readonly onChange: (area: A, raised?: Raised) => void | Promise<void>
  /** Called after each successful look at the database, with the time at which the look began. */
  readonly onLook?: ((beganAt: number) => void) | undefined
}

/**
 * Calls `onChange` within a second for each area that another process has changed. It may also be called for a change of this
 * process, if the counters are read between the commit and its `note`.
 */
export async function createVersionWatch<A extends string>(
  store: Pick<Store, 'read' | 'onForeignChange'>,
  { areas, onChange, onLook }: VersionWatchOptions<A>,
): Promise<VersionWatch<A>> {
  const known = new Map<string, number>()

  const readCounters = async () => {
    const rows = await store.read.selectFrom('version').select(['area', 'counter']).where('area', 'in', areas).execute()
    return new Map(rows.map((row) => [row.area, row.counter]))
  }
  const advance = async (area: A, to: number) => {
    const after = known.get(area) ?? 0
    // A lower counter was read before a commit that has been noted since.
    if (to <= after) return
    await onChange(area, { after, to })
    // The counter is stored only now, so that a change whose subscriber failed is found again.
    known.set(area, Math.max(to, known.get(area) ?? 0))
  }
  /** After a failover that lost commits, a counter may be lower than the known one, or the same after other commits. */
  const beginAgain = async (area: A, counter: number) => {
    await onChange(area)
    known.set(area, counter)
  }
  const check = async (mayLack = false) => {
    const counters = await readCounters()
    await Promise.all(areas.map((area) => (mayLack ? beginAgain : advance)(area, counters.get(area) ?? 0)))
  }

  // The subscription precedes the first read: a commit in between is reported twice rather than never.
  const stop = store.onForeignChange(check, onLook)
  try {
    for (const [area, counter] of await readCounters()) known.set(area, Math.max(counter, known.get(area) ?? 0))
  } catch (error) {
    stop()
    throw error
  }
  return {
    note(area, counter) {
      const before = known.get(area) ?? 0
      if (counter > before + 1) return advance(area, counter)
      if (counter > before) known.set(area, counter)
      return undefined
    },
    check: () => check(),
    stop,
  }
}
