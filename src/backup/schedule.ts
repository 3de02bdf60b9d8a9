// The scheduled backups as recurring work. While the schedule is off, there is no such work.

import type { Clock } from '../base/clock.ts'
import type { Recurring } from '../jobs/recurring.ts'
import { setTurn } from '../jobs/turn-store.ts'
import type { Store } from '../store/core/database.ts'
import { backupTurn, intervals, readSchedule } from './backup-store.ts'
import type { Backups } from './backups.ts'

/** The time between a backup that failed, or whose process died, and the next attempt. */
const retryMs = 3_600_000

/** The recurring work that makes scheduled backups. A stop of the service aborts a backup in progress. */
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
  // The schedule was switched on while the site ran on an earlier release without jobs, which sets no turn.
  if (nextAt === null) await setTurn(store.write, backupTurn.name, backupTurn.call, clock.now(), clock.now())
  return [{ ...backupTurn, everyMs, retryMs, run: (signal) => backups.create({ note: null, signal }) }]
}
