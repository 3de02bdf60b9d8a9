// One counter per area, in the table `version`. Each commit that makes an area stale raises its counter. Processes compare counters to find
// stale caches, and the subscriber empties these caches.

import { compileOnce } from './compile-once.ts'
import type { Db, Store } from './database.ts'

/**
 * Raises the counters of areas, in the transaction that changes them, and returns the new values.
 * The areas are sorted, so that no two writers deadlock on a database with row locks.
 */
export async function raiseCounters<A extends string>(db: Db, areas: readonly A[]): Promise<ReadonlyMap<A, number>> {
  if (areas.length === 0) return new Map()
  const sorted = [...new Set(areas)].sort()
  const raise = compileOnce(db, `raise ${sorted.join(' ')}`, () =>
    db
      .insertInto('version')
      .values(sorted.map((area) => ({ area, counter: 1 })))
      .onConflict((on) => on.column('area').doUpdateSet((eb) => ({ counter: eb('version.counter', '+', 1) })))
      .returning(['area', 'counter']),
  )
  const { rows } = await db.executeQuery(raise)
  return new Map(rows.map(({ area, counter }) => [area as A, counter]))
}

export interface VersionWatch<A extends string> {
  /**
   * Notes that a commit of this process raised the counter of an area to `counter`. If the known counter is more than one lower, another
   * process has committed in between, and `onChange` is called.
   */
  note(area: A, counter: number): void
  /** Reads the counters now. */
  check(): Promise<void>
  stop(): void
}

/**
 * Calls `onChange` within a second for each area that another process has changed. It may also be called for a change of this process, if the
 * counters are read between the commit and its `note`.
 */
export async function createVersionWatch<A extends string>(
  store: Pick<Store, 'read' | 'onForeignChange'>,
  options: { areas: readonly A[]; onChange: (area: A) => void },
): Promise<VersionWatch<A>> {
  const { areas, onChange } = options
  const known = new Map<string, number>()

  const readCounters = async () => {
    const rows = await store.read.selectFrom('version').select(['area', 'counter']).where('area', 'in', areas).execute()
    return new Map(rows.map((row) => [row.area, row.counter]))
  }
  const check = async () => {
    const counters = await readCounters()
    for (const area of areas) {
      const counter = counters.get(area) ?? 0
      // A lower counter was read before a commit that has been noted since.
      if (counter <= (known.get(area) ?? 0)) continue
      known.set(area, counter)
      onChange(area)
    }
  }

  // Subscribed before the first read: a commit in between is reported twice rather than never.
  const stop = store.onForeignChange(check)
  try {
    for (const [area, counter] of await readCounters()) known.set(area, Math.max(counter, known.get(area) ?? 0))
  } catch (error) {
    stop()
    throw error
  }
  return {
    note(area, counter) {
      const before = known.get(area) ?? 0
      if (counter <= before) return
      known.set(area, counter)
      if (counter > before + 1) onChange(area)
    },
    check,
    stop,
  }
}
