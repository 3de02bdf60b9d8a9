// Backups that are due: made by one of the processes that serve a home, whichever moves the moment on first. While the schedule is off it asks
// one row now and then.

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { repeat, type Repeating } from '../repeating.ts'
import type { Store } from '../store/database.ts'
import { noteMade, takeDue } from './backup-store.ts'
import type { Backups } from './backups.ts'

export interface ScheduledBackups {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly backups: Pick<Backups, 'create'>
}

const everyMs = 20_000

/** Starts looking; the timer keeps no process alive, and a stop ends a backup that is being made. */
export function startBackups({ store, clock, log, backups }: ScheduledBackups): Repeating {
  const look = async (signal: AbortSignal) => {
    const due = await takeDue(store.write, clock.now())
    if (!due) return
    try {
      await backups.create({ note: null, signal })
    } catch (error) {
      return log.error('scheduled backup failed', { error })
    }
    await noteMade(store.write, due)
  }
  return repeat(everyMs, look, (error) => log.error('backup schedule failed', { error }))
}
