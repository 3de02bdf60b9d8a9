// Recurring work. The first process that takes the turn of a piece of work runs it, and no other process runs it while that process
// is alive.

import type { Clock } from '../base/clock.ts'
import { errorMessage } from '../base/error-message.ts'
import { jsonText } from '../base/json.ts'
import type { Log } from '../base/log.ts'
import { repeat, type Repeating } from '../base/repeating.ts'
import type { Store } from '../store/core/database.ts'
import { atMost, type Jobs } from './jobs.ts'
import { addTurn, endTurn, listTurns, moveTurn, takeTurn, type TurnRow } from './turn-store.ts'

/** A piece of recurring work. Times are in milliseconds. */
export interface Recurring {
  readonly name: string
  /** Its name in lists of jobs, such as `SVC_Backup.create`. */
  readonly call: string
  readonly everyMs: number
  /** The delay before a failed run is repeated. The default is to wait for the next turn. */
  readonly retryMs?: number
  /** The longest delay of the first run after the start of a process. The default is one interval after the work was added. */
  readonly afterStartMs?: number
  /** Members for the log line of a failed run. */
  readonly about?: Readonly<Record<string, unknown>>
  /** Does the work. The result is stored as JSON until the next run; an error is logged. */
  run(signal: AbortSignal): Promise<unknown>
  /** Called with the result of each run, whichever process ran it, and with the stored result right after the start. */
  onResult?(result: unknown): void
}

/** The interval of checks for due work. */
const everyMs = 2000
/** The interval of reads while nothing is due, because another process may change a schedule or activate a plugin. */
const restMs = 20_000

/**
 * Checks every two seconds for due work. It does not wait for the end of work, so that no work delays another. The timer does not
 * keep the process alive.
 * @param list returns the current work, such as the jobs of active plugins
 * @param stopMs the longest wait of `stop` for running work
 */
export function startRecurring(
  site: { readonly store: Store; readonly clock: Clock; readonly log: Log; readonly jobs: Jobs },
  list: () => Promise<readonly Recurring[]>,
  stopMs = 5000,
): Repeating {
  const { store, clock, log, jobs } = site
  const startedAt = clock.now()
  const running = new Map<string, Promise<void>>()
  let stopping = false
  const woken = new Set<string>()
  const seenResults = new Map<string, number>()
  let rest = { from: 0, until: 0 }

  const look = async () => {
    const now = clock.now()
    if (now >= rest.from && now < rest.until) return
    const all = await list()
    const rows = await listTurns(
      store.read,
      all.map(({ name }) => name),
    )
    for (const work of all) await visit(work, rows.get(work.name), now)
    // The rows were read before `visit` changed them, so work that was due or new is checked again at the next look.
    const moments = all.map(({ name }) => rows.get(name)).map((row) => (row ? (row.next_at ?? Infinity) : now))
    rest = { from: now, until: Math.min(now + restMs, ...moments) }
  }

  const visit = async (work: Recurring, row: TurnRow | undefined, now: number) => {
    tell(work, row)
    if (running.has(work.name)) return
    if (!row) return addTurn(store.write, work.name, work.call, now + (work.afterStartMs ?? work.everyMs), now)
    if (row.next_at === null) return
    const soonest = work.afterStartMs === undefined ? undefined : startedAt + work.afterStartMs
    if (soonest !== undefined && !woken.has(work.name)) {
      woken.add(work.name)
      // Another process may have run the work since this one started.
      const isDone = row.state === 'running' || (row.finished_at ?? 0) > startedAt
      if (!isDone && row.next_at > soonest && (await moveTurn(store.write, work.name, row.next_at, soonest))) return
    }
    const again = now + Math.min(work.everyMs, work.retryMs ?? work.everyMs)
    if (row.next_at > now) {
      // A turn is at most one interval away, unless the interval was shortened or the clock was wrong.
      if (row.next_at > now + work.everyMs) await moveTurn(store.write, work.name, row.next_at, now + work.everyMs)
      return
    }
    if (!(await takeTurn(store.write, work.name, { from: row.next_at, again }, jobs.runner, now))) return
    const run = runTurn(work, again, now + work.everyMs).finally(() => running.delete(work.name))
    running.set(work.name, run)
  }

  const tell = ({ name, onResult }: Recurring, row: TurnRow | undefined) => {
    if (!onResult || !row || row.result === null || row.finished_at === null || seenResults.get(name) === row.finished_at) return
    seenResults.set(name, row.finished_at)
    onResult(JSON.parse(row.result))
  }

  const runTurn = async (work: Recurring, again: number, next: number) => {
    let ended: { result: string | null; error: string | null }
    try {
      const result = await jobs.runUnderLease(work.name, ({ signal }) => work.run(signal))
      ended = { result: jsonText(result), error: null }
    } catch (error) {
      if (!stopping) log.warn('recurring work failed', { work: work.name, ...work.about, error })
      ended = {
        result: null,
        error: jsonText({ code: 'failed', message: errorMessage(error) }),
      }
    }
    try {
      if (ended.error === null && again !== next) await moveTurn(store.write, work.name, again, next)
      await endTurn(store.write, work.name, jobs.runner, ended, clock.now())
    } catch (error) {
      log.error('end of recurring work not stored', { work: work.name, error })
    }
  }

  const looking = repeat(everyMs, look, (error) => log.error('check for recurring work failed', { error }))
  return {
    ...looking,
    async stop() {
      stopping = true
      for (const name of running.keys()) jobs.cancel(name)
      await atMost(
        stopMs,
        looking.stop().then(() => Promise.all(running.values())),
      )
    },
  }
}
