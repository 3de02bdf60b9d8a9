// Gives jobs to a worker, a thread or a process, one after the other. A job that takes too long or too much memory ends the
// worker, and the next one gets a new worker. The caller defines the jobs and the words of their failures. piscina and tinypool
// count the waiting of a job as its time, and never answer the job of a thread that ran out of memory.

import { parentPort, Worker } from 'node:worker_threads'
import { errorMessage, toError } from './error-message.ts'
import { Failure } from './failure.ts'
import type { Log } from './log.ts'

/** A message from the worker: first that it is loaded, then one answer per job. */
export type FromWorker<Answer> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly reason: string; readonly forSender: boolean }

export interface JobWorker<Job> {
  send(job: Job): void
  /** Lets the worker keep this process alive. `unref` undoes this. */
  ref(): void
  unref(): void
  end(): unknown
  /** The most processor time in ms that its jobs can have used. With it, a job that a busy machine kept waiting gets more time. */
  spentMs?(): number
}

/** The most turns of the time limit that a job gets on a busy machine. */
const maxTurns = 5

/** The events of a worker, as a queue receives them. */
export interface WorkerEvents<Answer> {
  message(message: FromWorker<Answer>): void
  /** The worker has ended, or could not be started. */
  lost(error: Error): void
}

export type OpenWorker<Job, Answer> = (events: WorkerEvents<Answer>) => JobWorker<Job>

export interface WorkerLimits {
  readonly timeoutMs: number
  /** An idle worker ends after this time. */
  readonly idleMs: number
  /** The most jobs that may wait; further ones fail at once. */
  readonly maxWaiting: number
}

export interface WorkerQueueOptions<Job, Answer> extends WorkerLimits {
  readonly log: Log
  readonly open: OpenWorker<Job, Answer>
  /** The words for the worker, a job and its verb in lines of the log: `the renderer`, `a text`, `render`. */
  readonly words: { readonly thread: string; readonly job: string; readonly verb: string }
  /** Facts about a job that took too long, for the log. */
  facts(job: Job): Readonly<Record<string, unknown>>
  /** The failures of jobs, each for the caller of its job. */
  readonly failures: {
    full(): Failure
    /** @param what a phrase such as `takes longer than 2000 ms to render` */
    tooMuch(what: string, job: Job): Failure
    /** @param started false for a worker that was never ready */
    broken(cause: Error | undefined, started: boolean): Failure
    /** The failure of a job whose worker returned a reason for its sender; by default `broken`. */
    refused?(reason: string): Failure
  }
}

export interface WorkerQueue<Job, Answer> {
  /** The number of waiting jobs, without the current one. */
  readonly waiting: number
  /**
   * @param signal ends the job, and the worker with it
   * @throws Failure one of the options' failures, or `unavailable` if the queue is closed
   */
  put(job: Job, signal?: AbortSignal): Promise<Answer>
  /** Ends the worker. Jobs that still wait fail with `unavailable`. */
  close(): Promise<void>
}

/** Creates a queue. Its worker starts with the first job. */
export function createWorkerQueue<Job, Answer>(options: WorkerQueueOptions<Job, Answer>): WorkerQueue<Job, Answer> {
  return new JobQueue(options)
}

/** The room for new objects in the heap of a thread. V8 would let it grow to 48 MB, of which a short job uses little. */
const youngMb = 12

/**
 * Opens a thread.
 * @param script its built file, which is looked up when the thread starts
 * @param maxOldSpaceMb its heap in MiB
 */
export function openThread<Job, Answer>(script: () => URL, maxOldSpaceMb: number): OpenWorker<Job, Answer> {
  return ({ message, lost }) => {
    const worker = new Worker(script(), {
      resourceLimits: { maxOldGenerationSizeMb: maxOldSpaceMb, maxYoungGenerationSizeMb: youngMb },
      env: {},
      execArgv: [],
    })
    worker.on('message', message)
    worker.on('error', lost)
    worker.on('exit', () => lost(new Error('it ended by itself')))
    return {
      send: (job) => worker.postMessage(job),
      ref: () => worker.ref(),
      unref: () => worker.unref(),
      end: () => worker.terminate(),
      // The time of one thread is not known before Node 24, but it is part of the time of the process.
      spentMs: () => Object.values(process.cpuUsage()).reduce((sum, micros) => sum + micros / 1000, 0),
    }
  }
}

/** The worker's side: does the jobs that it receives. @param forSender true for an error whose words are for the job's sender */
export function answerJobs<Job>(run: (job: Job) => unknown, forSender: (error: unknown) => boolean = () => false): void {
  const tell = (message: FromWorker<unknown>) => (parentPort ? parentPort.postMessage(message) : process.send?.(message))
  const fail = (error: unknown) => {
    const isForSender = forSender(error)
    const reason = error instanceof Error && !isForSender ? (error.stack ?? error.message) : errorMessage(error)
    tell({ kind: 'failed', reason, forSender: isForSender })
  }
  ;(parentPort ?? process).on('message', (job: Job) => {
    // An answer that can't be sent fails its job, too.
    void (async () => tell({ kind: 'done', answer: await run(job) }))().catch(fail)
  })
  tell({ kind: 'ready' })
}

/** Starting the worker has its own time limit, which doesn't count for the first job. */
const startMs = 30_000

interface Waiting<Job, Answer> {
  readonly job: Job
  readonly resolve: (answer: Answer) => void
  readonly reject: (failure: Error) => void
  readonly signal: AbortSignal | undefined
  /** Listens to the signal while the job runs. */
  leave?: () => void
}

class JobQueue<Job, Answer> implements WorkerQueue<Job, Answer> {
  readonly #options: WorkerQueueOptions<Job, Answer>
  readonly #waiting: Waiting<Job, Answer>[] = []
  #current: Waiting<Job, Answer> | undefined
  #worker: JobWorker<Job> | undefined
  #ready = false
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: WorkerQueueOptions<Job, Answer>) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting.length
  }

  put(job: Job, signal?: AbortSignal): Promise<Answer> {
    if (this.#closed) return Promise.reject(closing())
    if (this.#waiting.length >= this.#options.maxWaiting) return Promise.reject(this.#options.failures.full())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject, signal })
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const one of this.#waiting.splice(0)) one.reject(closing())
    this.#settle((one) => one.reject(closing()))
    await this.#endWorker()
  }

  /** Sends the next job to the worker. If there is none, the idle worker ends after a while and doesn't keep the process alive. */
  #next(): void {
    if (this.#current !== undefined) return
    this.#current = this.#waiting.shift()
    const one = this.#current
    if (one === undefined) return this.#rest()
    const { signal } = one
    if (signal?.aborted) return this.#settle(() => one.reject(cancelled(signal)))
    one.leave = () => {
      void this.#endWorker()
      this.#settle(() => one.reject(cancelled(signal)))
    }
    signal?.addEventListener('abort', one.leave, { once: true })
    const worker = this.#worker ?? this.#start()
    if (worker === undefined) return
    worker.ref()
    if (this.#ready) this.#send(worker)
    else this.#within(startMs, () => this.#lose(new Error(`${this.#options.words.thread} did not start in time`)))
  }

  #send(worker: JobWorker<Job>): void {
    if (this.#current === undefined) return
    this.#allow(worker, { spentMs: worker.spentMs?.() ?? 0, turns: 1 })
    worker.send(this.#current.job)
  }

  /** Ends the current job after a turn of the time limit, unless the machine gave it less processor time than that. */
  #allow(worker: JobWorker<Job>, begun: { readonly spentMs: number; readonly turns: number }): void {
    const { timeoutMs } = this.#options
    this.#within(timeoutMs, () => {
      const spentMs = worker.spentMs ? worker.spentMs() - begun.spentMs : timeoutMs
      if (spentMs < timeoutMs && begun.turns < maxTurns) this.#allow(worker, { ...begun, turns: begun.turns + 1 })
      else this.#expire(worker)
    })
  }

  #rest(): void {
    if (this.#worker === undefined) return
    this.#worker.unref()
    this.#within(this.#options.idleMs, () => void this.#endWorker())
    this.#timer?.unref()
  }

  #within(ms: number, then: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(then, ms)
  }

  #start(): JobWorker<Job> | undefined {
    try {
      const worker = this.#options.open({
        message: (message) => this.#worker === worker && this.#hear(worker, message),
        lost: (error) => this.#worker === worker && this.#lose(error),
      })
      this.#worker = worker
      return worker
    } catch (error) {
      this.#lose(toError(error))
      return undefined
    }
  }

  #hear(worker: JobWorker<Job>, message: FromWorker<Answer>): void {
    if (message.kind === 'ready') {
      this.#ready = true
      return this.#send(worker)
    }
    if (message.kind === 'done') return this.#settle((one) => one.resolve(message.answer))
    const { log, words, failures } = this.#options
    const { reason, forSender } = message
    if (!forSender) log.error(`${words.job} was not done`, { reason })
    const refusal = forSender ? failures.refused?.(reason) : undefined
    this.#settle((one) => one.reject(refusal ?? failures.broken(new Error(reason), true)))
  }

  #settle(tell: (one: Waiting<Job, Answer>) => void): void {
    const one = this.#current
    this.#current = undefined
    clearTimeout(this.#timer)
    if (one === undefined) return
    if (one.leave) one.signal?.removeEventListener('abort', one.leave)
    tell(one)
    this.#next()
  }

  /**
   * Ends a job whose time is up. An answer that arrived while this process was busy still counts: it is handled before the check.
   */
  #expire(worker: JobWorker<Job>): void {
    const late = this.#current
    setImmediate(() => {
      if (late === undefined || this.#current !== late || this.#worker !== worker) return
      const { log, words, facts, failures, timeoutMs } = this.#options
      log.warn(`${words.job} took too long to ${words.verb}`, { ...facts(late.job), limit_ms: timeoutMs })
      void this.#endWorker()
      this.#settle((one) => one.reject(failures.tooMuch(`takes longer than ${timeoutMs} ms to ${words.verb}`, one.job)))
    })
  }

  /** The worker crashed: its job fails, and the other jobs get a new worker. */
  #lose(error: Error): void {
    const { log, words, failures } = this.#options
    const outOfMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    const wasReady = this.#ready
    log[outOfMemory ? 'warn' : 'error'](`${words.thread} ended`, { error })
    void this.#endWorker()
    this.#settle((one) =>
      one.reject(
        outOfMemory ? failures.tooMuch(`takes too much memory to ${words.verb}`, one.job) : failures.broken(error, wasReady),
      ),
    )
  }

  async #endWorker(): Promise<void> {
    const worker = this.#worker
    clearTimeout(this.#timer)
    this.#worker = undefined
    this.#ready = false
    await worker?.end()
  }
}

function closing(): Failure {
  return new Failure('unavailable', 'The site is stopping. Try again in a moment.', { retry_after: 5 })
}

const cancelled = (signal: AbortSignal | undefined): Error =>
  signal?.reason instanceof Error ? signal.reason : new Failure('unavailable', 'The call was cancelled.')
