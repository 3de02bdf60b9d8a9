// The rows that a value was computed from. Settings, types, themes and plugins are not among them: a change of one of these
// concerns every value.

import { type ChangedRow, mayConcern } from '../store/changed-rows.ts'
import type { TableRead } from '../store/query-reads.ts'

export interface Reads {
  add(read: TableRead): void
  /** From here on, any change concerns the value. */
  addEverything(): void
  /** Adds what another value was computed from. */
  join(other: Reads): void
  /** True if one of these changes may concern the value. */
  concernedBy(changes: readonly ChangedRow[]): boolean
  readonly everything: boolean
  readonly all: Iterable<TableRead>
  readonly count: number
}

export function createReads(): Reads {
  const byTable = new Map<string, Set<TableRead>>()
  let everything = false
  let count = 0
  const add = (read: TableRead) => {
    const known = byTable.get(read.table) ?? new Set()
    if (known.has(read)) return
    byTable.set(read.table, known.add(read))
    count += 1
  }
  const concerns = (change: ChangedRow): boolean => {
    for (const read of byTable.get(change.table) ?? []) if (mayConcern(read, change)) return true
    return false
  }
  return {
    add,
    addEverything: () => void (everything = true),
    join(other) {
      if (other.everything) everything = true
      for (const read of other.all) add(read)
    },
    concernedBy: (changes) => everything || changes.some(concerns),
    get everything() {
      return everything
    },
    get all() {
      return [...byTable.values()].flatMap((reads) => [...reads])
    },
    get count() {
      return count
    },
  }
}
