// Runs the process for images, drawings among them: one job at a time, each within a time limit. A job that takes too long is ended by killing
// the process, because a decoder can't be stopped in any other way. An idle process ends.

import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Failure } from '../failure.ts'
import type { Log } from '../log.ts'
import { workerFile } from '../worker-file.ts'
import type { CleanedSvg } from './clean-svg.ts'
import type { Focus, Inspected, Variant } from './picture-recipe.ts'

export type PictureJob =
  | { readonly kind: 'inspect'; readonly path: string }
  | { readonly kind: 'make'; readonly path: string; readonly out: string; readonly focus: Focus | null; readonly avif: boolean }
  | { readonly kind: 'look'; readonly path: string; readonly maxBytes: number }
  | { readonly kind: 'clean'; readonly path: string; readonly out: string }

/** A message from the process. */
export type FromPictures =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly reason: string; readonly forSender: boolean }

/** An image for a model. */
export interface Look {
  readonly base64: string
  readonly mimeType: string
}

/** The known facts about a drawing that was cleaned. */
export type CleanedDrawing = Omit<CleanedSvg, 'svg'>

export interface Pictures {
  /** The process, while there is one. */
  readonly pid: number | undefined
  /**
   * Decodes an image and says what it is.
   * @throws Failure `unprocessable` for an image that can't be decoded, is too large or takes too long; `unavailable` when too many wait
   */
  inspect(path: string, signal?: AbortSignal): Promise<Inspected>
  /** Makes all sizes of an image. @param out the beginning of the paths of the files @throws Failure as `inspect` */
  make(
    path: string,
    out: string,
    recipe: { readonly focus: Focus | null; readonly avif: boolean },
    signal?: AbortSignal,
  ): Promise<readonly Variant[]>
  /** Cleans a drawing. @param out the path for what is left @throws Failure as `inspect` */
  clean(path: string, out: string, signal?: AbortSignal): Promise<CleanedDrawing>
  /** Makes an image small. @throws Failure as `inspect` */
  look(path: string, maxBytes: number, signal?: AbortSignal): Promise<Look>
  close(): Promise<void>
}

export interface PicturesOptions {
  readonly log: Log
  readonly timeoutMs: number
  readonly idleMs?: number
  /** The most jobs of callers that may wait. Jobs that make sizes wait in the queue of `media-variants.ts`, one at a time. */
  readonly maxWaiting?: number
}

interface Waiting {
  readonly job: PictureJob
  readonly resolve: (answer: never) => void
  readonly reject: (failure: Error) => void
  readonly signal: AbortSignal | undefined
  /** Listens to the signal while the job runs. */
  leave?: () => void
}

/** Starts nothing before the first job. */
export function createPictures(options: PicturesOptions): Pictures {
  return new PictureProcess(options)
}

class PictureProcess implements Pictures {
  readonly #log: Log
  readonly #timeoutMs: number
  readonly #idleMs: number
  readonly #maxWaiting: number
  readonly #waiting: Waiting[] = []
  #current: Waiting | undefined
  #child: ChildProcess | undefined
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor({ log, timeoutMs, idleMs = 20_000, maxWaiting = 50 }: PicturesOptions) {
    this.#log = log
    this.#timeoutMs = timeoutMs
    this.#idleMs = idleMs
    this.#maxWaiting = maxWaiting
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  inspect(path: string, signal?: AbortSignal): Promise<Inspected> {
    return this.#add({ kind: 'inspect', path }, signal)
  }

  make(
    path: string,
    out: string,
    { focus, avif }: { readonly focus: Focus | null; readonly avif: boolean },
    signal?: AbortSignal,
  ) {
    return this.#add<readonly Variant[]>({ kind: 'make', path, out, focus, avif }, signal)
  }

  clean(path: string, out: string, signal?: AbortSignal): Promise<CleanedDrawing> {
    return this.#add({ kind: 'clean', path, out }, signal)
  }

  look(path: string, maxBytes: number, signal?: AbortSignal): Promise<Look> {
    return this.#add({ kind: 'look', path, maxBytes }, signal)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const one of this.#waiting.splice(0)) one.reject(stopping())
    this.#end(stopping())
  }

  #add<T>(job: PictureJob, signal: AbortSignal | undefined): Promise<T> {
    if (this.#closed) return Promise.reject(stopping())
    if (this.#waiting.length >= this.#maxWaiting)
      return Promise.reject(
        new Failure('unavailable', 'Too many images are waiting to be read. Try again shortly.', { retry_after: 20 }),
      )
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject, signal })
      this.#next()
    })
  }

  #next(): void {
    if (this.#current) return
    clearTimeout(this.#timer)
    this.#current = this.#waiting.shift()
    if (!this.#current) {
      this.#timer = setTimeout(() => this.#end(), this.#idleMs).unref()
      return
    }
    const { signal, job } = this.#current
    if (signal?.aborted) return this.#settle((one) => one.reject(cancelled(signal)))
    const leave = () => this.#end(cancelled(signal))
    this.#current.leave = leave
    signal?.addEventListener('abort', leave, { once: true })
    this.#timer = setTimeout(() => this.#end(tooLong(this.#timeoutMs)), this.#timeoutMs)
    try {
      this.#child ??= this.#start()
      this.#child.send(job)
    } catch (error) {
      this.#end(notStarted(error))
    }
  }

  #start(): ChildProcess {
    const child = fork(fileURLToPath(workerFile('media/picture-worker.js', import.meta.url)), [], {
      // Nothing of the service's environment: secrets may be there.
      env: { MALLOC_ARENA_MAX: '2' },
      execArgv: ['--max-old-space-size=128', '--no-warnings'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // An idle process must not keep the service alive.
    child.unref()
    child.channel?.unref()
    child.on('message', (message: FromPictures) => {
      if (child !== this.#child) return
      if (message.kind === 'done') this.#settle((one) => one.resolve(message.answer as never))
      if (message.kind === 'failed') this.#settle((one) => one.reject(broken(message)))
    })
    child.on('error', (error) => child === this.#child && this.#end(notStarted(error)))
    child.on('exit', (code, by) => {
      if (child !== this.#child) return
      this.#child = undefined
      this.#log.warn('the process for images ended', { code, by })
      this.#settle((one) => one.reject(new Failure('unprocessable', 'This image broke the program that reads images.')))
    })
    return child
  }

  #settle(tell: (one: Waiting) => void): void {
    const one = this.#current
    clearTimeout(this.#timer)
    this.#current = undefined
    if (one?.leave) one.signal?.removeEventListener('abort', one.leave)
    if (one) tell(one)
    if (!this.#closed) this.#next()
  }

  /** Ends the process. @param why for the job that runs */
  #end(why?: Error): void {
    const child = this.#child
    this.#child = undefined
    child?.kill('SIGKILL')
    clearTimeout(this.#timer)
    if (this.#current && why) this.#settle((one) => one.reject(why))
  }
}

const broken = ({ reason, forSender }: Extract<FromPictures, { kind: 'failed' }>): Failure =>
  new Failure(
    'unprocessable',
    forSender
      ? reason
      : 'This image can not be decoded: it is damaged, or broke off on its way. Export it again, and send it again.',
    {},
    { cause: new Error(reason) },
  )

const tooLong = (ms: number): Failure =>
  new Failure('unprocessable', `This image took more than ${ms / 1000} seconds, so the work on it was stopped. Make it smaller.`)
const stopping = (): Failure => new Failure('unavailable', 'The service is stopping.', { retry_after: 5 })
const notStarted = (cause: unknown): Failure =>
  new Failure('unavailable', 'Images can not be read just now. Try again in a moment.', { retry_after: 5 }, { cause })
const cancelled = (signal: AbortSignal | undefined): Error =>
  signal?.reason instanceof Error ? signal.reason : new Failure('unavailable', 'The call was cancelled.')
