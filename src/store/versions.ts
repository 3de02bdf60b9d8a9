// A counter an area in the table `version`: raised by each commit that makes the area stale, so that every process learns what to forget.
// Forgetting is left to the subscriber.

import type { Db, Store } from './database.ts'

/**
 * Raises the counters of areas, in the transaction that changes them, and returns the new values.
 * Area by area in one order, so that no two writers wait for each other on a database with row locks.
 */
export async function raiseCounters<A extends string>(db: Db, areas: readonly A[]): Promise<ReadonlyMap<A, number>> {
  if (areas.length === 0) return new Map()
  const rows = await db
    .insertInto('version')
    .values([...new Set(areas)].sort().map((area) => ({ area, counter: 1 })))
    .onConflict((on) => on.column('area').doUpdateSet((eb) => ({ counter: eb('version.counter', '+', 1) })))
    .returning(['area', 'counter'])
    .execute()
  return new Map(rows.map(({ area, counter }) => [area as A, counter]))
}

export interface VersionWatch<A extends string> {
  /**
   * Says that a commit of this process raised an area to `counter`. If it isn't the one after the counter known here, another
   * process was in between, and the area is told as changed.
   */
  note(area: A, counter: number): void
  /** Looks at the counters now. */
  check(): Promise<void>
  stop(): void
}

/**
 * Tells `onChange` of each area that another process has changed, within a second. An area changed here may be told too,
 * when the look falls between its commit and its `note`.
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
      // A lower one was read before a commit that has been noted since.
      if (counter <= (known.get(area) ?? 0)) continue
      known.set(area, counter)
      onChange(area)
    }
  }

  // Subscribed before the first look: what comes in between is told twice rather than never.
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
