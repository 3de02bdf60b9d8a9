// The processes that a primary process manages. Each has a number, is restarted when it dies, and is stopped with the others.

import cluster, { type Worker as ClusterWorker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../base/log.ts'
import { alive, areYouAlive, socketArgument } from './worker.ts'

export interface WorkersOptions {
  readonly count: number
  readonly file: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** A socket of this process on which all of them listen; undefined if they open their own. */
  readonly socketFd: number | undefined
  /** The time for a process to stop before it is killed. */
  readonly stopMs: number
  readonly log: Log
}

export interface Workers {
  /**
   * Starts the processes, and resolves when all of them listen. The first one prepares the home before the others start.
   * @returns the exit code of the first process if it could not start; undefined if all listen
   */
  start(): Promise<number | undefined>
  /** Kills processes that don't answer in time. They are restarted. */
  look(withinMs: number): Promise<void>
  /** Stops all processes. @returns true if all of them ended well */
  stop(): Promise<boolean>
}

/** The back-off before a process is restarted: none after a long run, and longer after each early death. */
const firstPauseMs = 100
const longestPauseMs = 30_000
const goodWhileMs = 60_000

export function createWorkers(options: WorkersOptions): Workers {
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({
    exec: options.file,
    args: options.socketFd === undefined ? [] : [`${socketArgument}${options.socketFd}`],
    execArgv: [...process.execArgv, '--enable-source-maps'],
  })
  const stopping = new AbortController()
  const seats = Array.from({ length: options.count }, (_, at) => new WorkerSeat(at + 1, options, stopping.signal))

  return {
    async start() {
      const [first, ...others] = seats
      const code = await first?.startFirst()
      if (code !== undefined) return code
      await Promise.all(others.map((seat) => seat.keepUp()))
      return undefined
    },
    async look(withinMs) {
      await Promise.all(seats.map((seat) => seat.look(withinMs)))
    },
    async stop() {
      stopping.abort()
      return (await Promise.all(seats.map((seat) => seat.stop()))).every(Boolean)
    },
  }
}

/** One numbered process, and its successors when it dies. */
class WorkerSeat {
  readonly #number: number
  readonly #options: WorkersOptions
  readonly #stopping: AbortSignal
  #worker: ClusterWorker | undefined
  #exit: Promise<number | null> | undefined
  #kept: Promise<void> | undefined
  #quickDeaths = 0
  #isListening = false

  constructor(number: number, options: WorkersOptions, stopping: AbortSignal) {
    this.#number = number
    this.#options = options
    this.#stopping = stopping
  }

  /** Starts the process. @returns its exit code if it ended before it listened */
  async startFirst(): Promise<number | undefined> {
    const listening = this.#start()
    const code = await Promise.race([listening, this.#exit])
    if (!this.#isListening) return code ?? 1
    this.#keep()
    return undefined
  }

  /** Starts the process and restarts it when it dies. Resolves when it listens. */
  async keepUp(): Promise<void> {
    const listening = this.#start()
    this.#keep()
    await Promise.race([listening, this.#kept])
  }

  async look(withinMs: number): Promise<void> {
    const worker = this.#worker
    if (!worker || !this.#isListening || !worker.isConnected()) return
    const answered = new Promise<true>((resolve) => {
      const hear = (message: unknown) => {
        if (message !== alive) return
        worker.off('message', hear)
        resolve(true)
      }
      worker.on('message', hear)
      worker.send(areYouAlive)
    })
    const answer = await Promise.race([answered, this.#exit, sleep(withinMs, 'late', { ref: false })])
    if (answer !== 'late' || worker.isDead()) return
    this.#options.log.error('process does not answer and is killed', { number: this.#number, pid: worker.process.pid })
    worker.process.kill('SIGKILL')
  }

  async stop(): Promise<boolean> {
    const worker = this.#worker
    worker?.process.kill('SIGTERM')
    const late = setTimeout(() => worker?.process.kill('SIGKILL'), this.#options.stopMs)
    const code = await this.#exit
    clearTimeout(late)
    await this.#kept
    // A process that was still starting may not have listened for the signal yet.
    return code === undefined || code === 0 || worker?.process.signalCode === 'SIGTERM'
  }

  /** @returns a promise that resolves when the process listens */
  #start(): Promise<undefined> {
    this.#isListening = false
    const worker = cluster.fork({ ...this.#options.env, POSTERN_INSTANCE: String(this.#number) })
    this.#worker = worker
    this.#exit = new Promise((resolve) => worker.once('exit', (code: number | null) => resolve(code)))
    // A process with a broken connection is dead or about to die, which `exit` reports.
    worker.on('error', (error) => this.#options.log.warn('process could not be reached', { number: this.#number, error }))
    return new Promise((resolve) =>
      worker.once('listening', () => {
        this.#isListening = true
        resolve(undefined)
      }),
    )
  }

  #keep(): void {
    this.#kept = this.#restartUntilStopped()
  }

  async #restartUntilStopped(): Promise<void> {
    for (;;) {
      const begun = performance.now()
      const code = await this.#exit
      this.#isListening = false
      if (this.#stopping.aborted) return
      this.#quickDeaths = performance.now() - begun > goodWhileMs ? 0 : this.#quickDeaths + 1
      const pauseMs = this.#quickDeaths === 0 ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (this.#quickDeaths - 1))
      const { exitCode, signalCode, pid } = this.#worker?.process ?? {}
      this.#options.log.error('process ended and is started again', {
        number: this.#number,
        pid,
        code: code ?? exitCode,
        signal: signalCode,
        pauseMs,
      })
      await sleep(pauseMs, undefined, { signal: this.#stopping }).catch(() => undefined)
      if (this.#stopping.aborted) return
      void this.#start()
    }
  }
}
