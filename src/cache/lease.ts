// Decides if the caches may be used for a request. They may if the last successful look at the database is recent and no other
// process of this machine has announced a change since. Otherwise the database is asked first, for a limited time.

import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { ChangeMark } from '../processes/change-mark.ts'

/**
 * The standing of the caches. While the database does not answer, no cached value may grant rights, so that a revoked token ends
 * within a second even on a machine that is cut off. Public pages may be shown from the cache for some minutes.
 */
export type Standing = 'fresh' | 'pages' | 'nothing'

/**
 * The time for which a look at the database is valid, and the time for which public pages are shown if no further look succeeds.
 */
export const leaseMs = 1000
export const pagesMs = 5 * 60_000
/** The longest wait of a request for a look, and the pause after a failed look. */
const patienceMs = 1000
const pauseMs = 250

export interface LeaseOptions {
  /** Reads the counters and refreshes the caches. @throws if the database does not answer */
  readonly look: () => Promise<void>
  /** The announcements of the other processes of this machine; undefined if there are none. */
  readonly changes: Pick<ChangeMark, 'read' | 'is'> | undefined
  /** The latest announcement before the caches were filled. */
  readonly before: string | undefined
  readonly log: Log
  readonly clock: Clock
}

export interface FreshnessLease {
  catchUp(): Promise<Standing> | undefined
  /** Records a successful look that began at this time. */
  renewed(beganAt: number): void
}

interface Look {
  readonly beganAt: number
  readonly mark: string | undefined
  readonly ended: Promise<boolean>
}

export function createLease({ look, changes, before, log, clock }: LeaseOptions): FreshnessLease {
  let lookedAt = clock.now()
  let seen = before
  let failedAt = -Infinity
  let failing = false
  let running: Look | undefined
  let next: Promise<boolean> | undefined

  const renewed = (beganAt: number): void => {
    lookedAt = Math.max(lookedAt > clock.now() ? 0 : lookedAt, beganAt)
  }
  /** A negative age means that the clock was set back. */
  const isWithin = (ms: number, now: number): boolean => now >= lookedAt && now - lookedAt < ms
  const standing = (isFresh: boolean): Standing => (isFresh ? 'fresh' : isWithin(pagesMs, clock.now()) ? 'pages' : 'nothing')

  const start = (): Look => {
    const beganAt = clock.now()
    const mark = changes?.read()
    const ended = look().then(
      () => {
        renewed(beganAt)
        seen = mark
        failing = false
        return true
      },
      (error: unknown) => {
        failedAt = clock.now()
        if (!failing) log.warn('caches could not be compared with the database', { error })
        failing = true
        return false
      },
    )
    const started = { beganAt, mark, ended: ended.finally(() => (running = undefined)) }
    running = started
    return started
  }
  /** Returns a look that begins now or later. A look that began before the latest announcement may have missed the change. */
  const freshLook = (): Promise<boolean> => {
    if (!running) return start().ended
    if (running.mark !== undefined && changes?.is(running.mark) === true) return running.ended
    if (changes === undefined) return running.ended
    next ??= running.ended.then(() => {
      next = undefined
      return (running ?? start()).ended
    })
    return next
  }

  return {
    renewed,
    catchUp() {
      const now = clock.now()
      if ((changes === undefined || seen === undefined || changes.is(seen)) && isWithin(leaseMs, now)) return undefined
      if (Math.abs(now - failedAt) < pauseMs) return Promise.resolve(standing(false))
      const patience = running === undefined ? patienceMs : Math.max(0, running.beganAt + patienceMs - now)
      return answerWithin(patience, freshLook()).then(standing)
    },
  }
}

/** The limit is counted in ticks of this length. A process that stalls for a second has counted only one of them. */
const tickMs = 50

/** Returns the value of a promise; false after a time limit. A stall of this process does not count as silence of the database. */
async function answerWithin(ms: number, promise: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    const wait = (left: number): void => {
      timer = setTimeout(() => (left > tickMs ? wait(left - tickMs) : resolve(false)), Math.min(left, tickMs))
    }
    wait(ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
