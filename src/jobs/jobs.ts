// The jobs of one process. It runs work that may outlast a call, renews the leases, and ends cancelled jobs. The caller defines the
// work and who may see it.

import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { jsonText } from '../base/json.ts'
import type { Log } from '../base/log.ts'
import { repeat, type Repeating } from '../base/repeating.ts'
import type { Store } from '../store/core/database.ts'
import { newId } from '../store/core/ids.ts'
import {
  type Ending,
  endJob,
  failAbandoned,
  insertJob,
  type NewJob,
  noteProgress,
  renewLeases,
  renewMs,
  restartJob,
} from './job-store.ts'

/** The progress of a job. `total` is absent if it is unknown. */
export interface Progress {
  readonly done: number
  readonly total?: number
  readonly note?: string
}

/** The functions and the signal that a job's work gets. */
export interface JobControl {
  readonly id: string
  /** Aborts when somebody cancels the job, when its caller disconnects while waiting, or when the process stops. */
  readonly signal: AbortSignal
  progress(progress: Progress): void
}

export interface JobRules {
  /** Returns the part of the result that may be stored, as JSON text. The default is the whole result. */
  stored?(result: string): string
  /** Called every few seconds. If it returns true, the job's caller has lost access, and the job is cancelled. */
  hasEnded?(): Promise<boolean>
}

/** A job that was started in this process. */
export interface StartedJob {
  readonly id: string
  /** Settles with the result or error of the work, after the row is updated. */
  readonly ended: Promise<string>
  cancel(): void
}

export type JobOrder = Omit<NewJob, 'id'>

export interface Jobs {
  /** The number of jobs that have ended in this process. */
  readonly ended: number
  /** The name of this process in leases. */
  readonly runner: string
  /**
   * Runs work as a new job.
   * @param work returns its result as JSON text
   * @param rules the storable part of the result, and the condition for cancelling
   */
  start(order: JobOrder, work: (control: JobControl) => Promise<string>, rules?: JobRules): Promise<StartedJob>
  /** Runs a failed or cancelled job again. @throws Failure `conflict` if it is already running again */
  restart(id: string, work: (control: JobControl) => Promise<string>, rules?: JobRules): Promise<StartedJob>
  /** Runs work for which this process already has the lease, such as a turn of recurring work. */
  runUnderLease<T>(id: string, work: (control: JobControl) => Promise<T>): Promise<T>
  cancel(id: string): void
  /**
   * Renews the leases now, aborts jobs that were cancelled or whose caller has lost access, and marks jobs of dead processes as
   * failed.
   */
  look(): Promise<void>
  /** Cancels all jobs of this process, and waits up to `stopMs` for them to end. */
  stop(): Promise<void>
}

export interface JobParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** The time for which `stop` waits for cancelled jobs, in milliseconds. */
  readonly stopMs?: number
}

const interrupted = jsonText(
  new Failure(
    'unavailable',
    'The process that ran this job ended before the job did. Nothing of the unfinished work was saved.',
    {
      hint: 'SVC_Jobs.retry runs it again.',
    },
  ),
)

export function createJobs({ store, clock, log, stopMs = 5000 }: JobParts): Jobs {
  const runner = newId(clock.now())
  const running = new Map<
    string,
    { readonly controller: AbortController; readonly ended: Promise<unknown>; readonly hasEnded: JobRules['hasEnded'] }
  >()
  let stopping = false
  let endings = 0

  const look = async () => {
    if (running.size > 0) {
      const cancelById = new Map((await renewLeases(store.write, runner, clock.now())).map(({ id, cancel }) => [id, cancel]))
      // A job that is missing here has lost its lease, and another process may run it.
      for (const [id, { controller, hasEnded }] of running)
        if (cancelById.get(id) !== 0 || (await hasEnded?.())) controller.abort()
    }
    await failAbandoned(store, clock.now(), interrupted)
  }
  const renewing: Repeating = repeat(renewMs, look, (error) => log.error('leases of jobs not renewed', { error }))

  const runUnderLease = <T>(
    id: string,
    work: (control: JobControl) => Promise<T>,
    hasEnded?: JobRules['hasEnded'],
  ): Promise<T> => {
    const controller = new AbortController()
    if (stopping) controller.abort()
    const progress = (now: Progress) =>
      void noteProgress(store.write, id, runner, jsonText(now)).catch((error: unknown) =>
        log.warn('progress of a job not stored', { job: id, error }),
      )
    const ended = work({ id, signal: controller.signal, progress }).finally(() => running.delete(id))
    running.set(id, { controller, ended, hasEnded })
    return ended
  }

  const cancel = (id: string) => running.get(id)?.controller.abort()

  const run = async (id: string, work: (control: JobControl) => Promise<string>, rules: JobRules = {}) => {
    let cancelled = false
    const wrapped = (control: JobControl) => {
      control.signal.addEventListener('abort', () => (cancelled = true), { once: true })
      return work(control)
    }
    try {
      const result = await runUnderLease(id, wrapped, rules.hasEnded)
      await end(id, { state: 'done', result: rules.stored?.(result) ?? result, error: null })
      return result
    } catch (error) {
      const state = cancelled ? 'cancelled' : 'failed'
      const shown = error instanceof Failure ? error : new Failure('failed', 'The job failed; the log has the reason.')
      await end(id, { state, result: null, error: jsonText(shown) })
      throw error
    }
  }

  const end = async (id: string, ending: Ending) => {
    try {
      await endJob(store.write, id, runner, ending, clock.now())
    } catch (error) {
      log.error('end of a job not stored', { job: id, error })
    }
    endings += 1
  }

  const started = (id: string, ended: Promise<string>): StartedJob => {
    // Possibly nobody awaits `ended`. The error is in the row, so the rejection is handled here.
    ended.catch(() => undefined)
    return { id, ended, cancel: () => cancel(id) }
  }

  return {
    runner,
    get ended() {
      return endings
    },
    runUnderLease: (id, work) => runUnderLease(id, work),
    cancel,
    look,
    async start(order, work, rules) {
      const id = newId(clock.now())
      await failAbandoned(store, clock.now(), interrupted)
      await insertJob(store.write, { id, ...order }, runner, clock.now())
      return started(id, run(id, work, rules))
    },
    async restart(id, work, rules) {
      if (!(await restartJob(store.write, id, runner, clock.now())))
        throw new Failure('conflict', 'This job is already running again.', { id })
      return started(id, run(id, work, rules))
    },
    async stop() {
      stopping = true
      for (const { controller } of running.values()) controller.abort()
      await renewing.stop()
      await atMost(stopMs, Promise.allSettled([...running.values()].map((job) => job.ended)))
    },
  }
}

/** Waits for a promise, at most `ms` milliseconds. */
export async function atMost(ms: number, ended: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}
