// Backups that are due: made by one of the processes that serve a home, whichever moves the moment on first. While the schedule is off it asks
// one row now and then.

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/database.ts'
import { retrySoon, takeDue } from './backup-store.ts'
import type { Backups } from './backups.ts'

export interface ScheduledBackups {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly backups: Pick<Backups, 'create'>
}

export interface BackupTimer {
  /** Makes what is due now; the timer calls it by itself. */
  run(): Promise<void>
  /** Ends the timer, and what runs. */
  stop(): Promise<void>
}

const everyMs = 20_000

/** Starts looking; the timer keeps no process alive. */
export function startBackups({ store, clock, log, backups }: ScheduledBackups): BackupTimer {
  const ending = new AbortController()
  let running: Promise<void> | undefined

  const look = async () => {
    if (!(await takeDue(store.write, clock.now()))) return
    try {
      await backups.create({ note: null, signal: ending.signal })
    } catch (error) {
      log.error('scheduled backup failed', { error })
      await retrySoon(store.write, clock.now())
    }
  }
  const run = () =>
    (running ??= look()
      .catch((error: unknown) => log.error('backup schedule failed', { error }))
      .finally(() => (running = undefined)))

  const timer = setInterval(() => void run(), everyMs)
  timer.unref()
  return {
    run,
    async stop() {
      clearInterval(timer)
      ending.abort()
      await running
    },
  }
}
