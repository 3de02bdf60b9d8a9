// The backups of the schedule as recurring work. While the schedule is off there is none.

import type { Recurring } from '../jobs/recurring.ts'
import type { Store } from '../store/database.ts'
import { backupTurn, intervals, readSchedule } from './backup-store.ts'
import type { Backups } from './backups.ts'

/** A backup that failed, or whose process died, is tried again then. */
const retryMs = 3_600_000

/** The backups that are due by the schedule. A stop ends one that is being made. */
export async function scheduledBackups({
  store,
  backups,
}: {
  readonly store: Pick<Store, 'read'>
  readonly backups: Pick<Backups, 'create'>
}): Promise<readonly Recurring[]> {
  const everyMs = intervals[(await readSchedule(store.read)).every]
  if (everyMs === null) return []
  return [{ ...backupTurn, everyMs, retryMs, run: (signal) => backups.create({ note: null, signal }) }]
}
