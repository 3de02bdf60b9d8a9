// The counters of an entry with staged changes. `revision` counts every write to either side, and `live_revision` is the revision
// of the public side.

import type { AnyRow } from './change.ts'
import type { EntryRow } from '../core/schema.ts'

type Counters = Pick<EntryRow, 'revision' | 'staged' | 'live_revision'>

/**
 * Returns the counters after a write to an object itself. For an entry, the new revision is the live one. @param patch may set
 * `staged`
 */
export function liveCounters(before: AnyRow, patch: AnyRow): Record<string, string | number | null> {
  const revision = Number(before['revision']) + 1
  if (!Number(before['staged'] ?? 0)) return { revision }
  const staged = Number(patch['staged'] ?? 1)
  return { revision, staged, live_revision: staged ? revision : null }
}

/** Returns the counters after a write to the staged changes of an entry. @param waits true if there are staged changes now */
export function stagedCounters({ revision, live_revision: live }: Counters, waits: boolean): Counters {
  return { revision: revision + 1, staged: waits ? 1 : 0, live_revision: waits ? (live ?? revision) : null }
}
