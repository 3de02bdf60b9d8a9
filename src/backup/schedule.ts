// The backups of the schedule as recurring work. While the schedule is off there is none.

import type { Clock } from '../clock.ts'
import type { Recurring } from '../jobs/recurring.ts'
import { setTurn } from '../jobs/turn-store.ts'
import type { Store } from '../store/database.ts'
import { backupTurn, intervals, readSchedule } from './backup-store.ts'
import type { Backups } from './backups.ts'

/** A backup that failed, or whose process died, is tried again then. */
const retryMs = 3_600_000

/** The backups that are due by the schedule. A stop ends one that is being made. */
export async function scheduledBackups({
  store,
  clock,
  backups,
}: {
  readonly store: Pick<Store, 'read' | 'write'>
  readonly clock: Clock
  readonly backups: Pick<Backups, 'create'>
}): Promise<readonly Recurring[]> {
  const { every, nextAt } = await readSchedule(store.read)
  const everyMs = intervals[every]
  if (everyMs === null) return []
  // The release before, to which somebody had gone back, switched it on: it knows nothing of turns.
  if (nextAt === null) await setTurn(store.write, backupTurn.name, backupTurn.call, clock.now(), clock.now())
  return [{ ...backupTurn, everyMs, retryMs, run: (signal) => backups.create({ note: null, signal }) }]
}
