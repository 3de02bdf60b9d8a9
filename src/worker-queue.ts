// Gives jobs to a worker thread, one after the other. A job that takes too long or too much memory ends the thread and fails alone: the next job
// gets a new thread. What a job is, and what its failures say, is the caller's business.

import { Worker } from 'node:worker_threads'
import { toError } from './error-message.ts'
import { Failure } from './failure.ts'
import type { Log } from './log.ts'

/** A message from the worker: first that it is loaded, then one answer per job. */
export type FromWorker<Answer> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly reason: string }

export interface WorkerLimits {
  /** The time limit for one job. */
  readonly timeoutMs: number
  /** Heap of the thread in MiB. */
  readonly maxOldSpaceMb: number
  /** An idle thread ends after this time. */
  readonly idleMs: number
  /** The most jobs that may wait; further ones fail at once. */
  readonly maxWaiting: number
}

export interface WorkerQueueOptions<Job> extends WorkerLimits {
  readonly log: Log
  /** The built file of the worker. It is looked up when the thread starts. */
  readonly script: () => URL
  /** The work of the thread, in lines of the log: `the renderer`, `a text`, `render`. */
  readonly words: { readonly thread: string; readonly job: string; readonly verb: string }
  /** Facts about a job that took too long, for the log. */
  facts(job: Job): Readonly<Record<string, unknown>>
  /** The failures of jobs, each for the caller of its job. */
  readonly failures: {
    full(): Failure
    /** @param what a phrase such as `takes longer than 2000 ms to render` */
    tooMuch(what: string, job: Job): Failure
    broken(cause?: Error): Failure
  }
}

export interface WorkerQueue<Job, Answer> {
  /** The number of jobs that wait, without the one that the thread works on. */
  readonly waiting: number
  /** @throws Failure one of the options', or `unavailable` when the queue is closed */
  put(job: Job): Promise<Answer>
  /** Ends the thread. Jobs that still wait fail with `unavailable`. */
  close(): Promise<void>
}

/** Creates a queue. Its thread starts with the first job. */
export function createWorkerQueue<Job, Answer>(options: WorkerQueueOptions<Job>): WorkerQueue<Job, Answer> {
  return new ThreadQueue(options)
}

/** Starting the thread has its own time limit, which doesn't count for the first job. */
const startMs = 30_000

interface Waiting<Job, Answer> {
  readonly job: Job
  readonly resolve: (answer: Answer) => void
  readonly reject: (failure: Failure) => void
}

class ThreadQueue<Job, Answer> implements WorkerQueue<Job, Answer> {
  readonly #options: WorkerQueueOptions<Job>
  readonly #waiting: Waiting<Job, Answer>[] = []
  #current: Waiting<Job, Answer> | undefined
  #worker: Worker | undefined
  #ready = false
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: WorkerQueueOptions<Job>) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting.length
  }

  put(job: Job): Promise<Answer> {
    if (this.#closed) return Promise.reject(closing())
    if (this.#waiting.length >= this.#options.maxWaiting) return Promise.reject(this.#options.failures.full())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject })
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    const dropped = this.#current === undefined ? this.#waiting.splice(0) : [this.#current, ...this.#waiting.splice(0)]
    this.#current = undefined
    for (const one of dropped) one.reject(closing())
    await this.#endWorker()
  }

  /** Sends the next job to the thread. Without one, an idle thread ends after a while and doesn't keep the process alive. */
  #next(): void {
    if (this.#current !== undefined) return
    this.#current = this.#waiting.shift()
    if (this.#current === undefined) return this.#rest()
    const worker = this.#worker ?? this.#start()
    if (worker === undefined) return
    worker.ref()
    if (this.#ready) this.#send(worker)
    else this.#within(startMs, () => this.#lose(new Error(`${this.#options.words.thread} did not start in time`)))
  }

  #send(worker: Worker): void {
    if (this.#current === undefined) return
    this.#within(this.#options.timeoutMs, () => this.#expire(worker))
    worker.postMessage(this.#current.job)
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

  #start(): Worker | undefined {
    let worker: Worker
    try {
      worker = this.#open()
    } catch (error) {
      this.#lose(toError(error))
      return undefined
    }
    this.#worker = worker
    worker.on('message', (message: FromWorker<Answer>) => this.#worker === worker && this.#hear(worker, message))
    worker.on('error', (error: Error) => this.#worker === worker && this.#lose(error))
    worker.on('exit', () => this.#worker === worker && this.#lose(new Error(`${this.#options.words.thread} ended by itself`)))
    return worker
  }

  #open(): Worker {
    return new Worker(this.#options.script(), {
      // A job leaves nothing behind, so a larger young generation would only wait for the garbage collector.
      resourceLimits: { maxOldGenerationSizeMb: this.#options.maxOldSpaceMb, maxYoungGenerationSizeMb: 2 },
      env: {},
      execArgv: [],
    })
  }

  #hear(worker: Worker, message: FromWorker<Answer>): void {
    if (message.kind === 'ready') {
      this.#ready = true
      return this.#send(worker)
    }
    if (message.kind === 'done') return this.#settle((one) => one.resolve(message.answer))
    this.#options.log.error('rendering failed', { reason: message.reason })
    this.#settle((one) => one.reject(this.#options.failures.broken()))
  }

  #settle(tell: (one: Waiting<Job, Answer>) => void): void {
    const one = this.#current
    this.#current = undefined
    clearTimeout(this.#timer)
    if (one !== undefined) tell(one)
    this.#next()
  }

  /** The time is up. An answer that arrived while this process was busy still counts: it is handled before the check. */
  #expire(worker: Worker): void {
    const late = this.#current
    setImmediate(() => {
      if (late === undefined || this.#current !== late || this.#worker !== worker) return
      const { log, words, facts, failures, timeoutMs } = this.#options
      log.warn(`${words.job} took too long to ${words.verb}`, { ...facts(late.job), limit_ms: timeoutMs })
      void this.#endWorker()
      this.#settle((one) => one.reject(failures.tooMuch(`takes longer than ${timeoutMs} ms to ${words.verb}`, one.job)))
    })
  }

  /** The thread crashed: its job fails, and the other jobs get a new thread. */
  #lose(error: Error): void {
    const { log, words, failures } = this.#options
    const outOfMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    log[outOfMemory ? 'warn' : 'error'](`${words.thread} ended`, { error })
    void this.#endWorker()
    this.#settle((one) =>
      one.reject(outOfMemory ? failures.tooMuch(`takes too much memory to ${words.verb}`, one.job) : failures.broken(error)),
    )
  }

  async #endWorker(): Promise<void> {
    const worker = this.#worker
    clearTimeout(this.#timer)
    this.#worker = undefined
    this.#ready = false
    await worker?.terminate()
  }
}

function closing(): Failure {
  return new Failure('unavailable', 'The site is stopping. Try again in a moment.', { retry_after: 5 })
}
