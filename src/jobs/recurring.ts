// Recurring work: each piece is run by whichever process of the site takes its turn first, and by no other while that one lives.

import type { Clock } from '../clock.ts'
import { errorMessage } from '../error-message.ts'
import { jsonText } from '../json.ts'
import type { Log } from '../log.ts'
import { repeat, type Repeating } from '../repeating.ts'
import type { Store } from '../store/database.ts'
import { atMost, type Jobs } from './jobs.ts'
import { addTurn, endTurn, listTurns, moveTurn, takeTurn, type TurnRow } from './turn-store.ts'

/** A piece of recurring work. Times are in milliseconds. */
export interface Recurring {
  readonly name: string
  /** What it is called in a list of jobs: `SVC_Backup.create`. */
  readonly call: string
  readonly everyMs: number
  /** When a run that failed is tried again; at the next turn, unless told. */
  readonly retryMs?: number
  /** Each start of a process makes it due so soon; unless told it is first due an interval after it was first seen. */
  readonly afterStartMs?: number
  /** Members of the log line that tells of a failed run. */
  readonly about?: Readonly<Record<string, unknown>>
  /** Its result is kept as JSON until the next run. A run that throws is logged. */
  run(signal: AbortSignal): Promise<unknown>
  /** Is told what the last run found, of whichever process; also right after the start. */
  onResult?(result: unknown): void
}

/** What recurring work needs of a site. */
export interface RecurringSite {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly jobs: Jobs
}

const everyMs = 2000
/** While nothing is due, the database is asked so often: another process may have set a moment, or activated a plugin. */
const restMs = 20_000

/**
 * Starts looking every two seconds. Work that is due is started and not waited for, so that no piece waits for another. The timer keeps no
 * process alive.
 * @param list the work that there is now, such as the jobs of active plugins
 * @param stopMs how long a stop waits for what runs
 */
export function startRecurring(site: RecurringSite, list: () => Promise<readonly Recurring[]>, stopMs = 5000): Repeating {
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
    // Work that is due, or new, has another moment by now.
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
      if (row.next_at > soonest && (await moveTurn(store.write, work.name, row.next_at, soonest))) return
    }
    const again = now + Math.min(work.everyMs, work.retryMs ?? work.everyMs)
    if (row.next_at > now) {
      // Further ahead than it is ever set: the interval became shorter, or the clock was wrong then.
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
      log.error('the end of recurring work was not kept', { work: work.name, error })
    }
  }

  const looking = repeat(everyMs, look, (error) => log.error('recurring work not looked after', { error }))
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
