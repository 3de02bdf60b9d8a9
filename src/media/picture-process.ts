// Runs the process for images and drawings: one job at a time, each within a time limit. A job that takes too long is stopped by
// killing the process, because a decoder can't be stopped in any other way. An idle process ends.

import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Failure } from '../base/failure.ts'
import type { Log } from '../base/log.ts'
import { workerFile } from '../base/worker-file.ts'
import { createWorkerQueue, type JobWorker, type WorkerEvents } from '../base/worker-queue.ts'
import type { CleanedSvg } from './clean-svg.ts'
import type { Focus, Inspected, Variant } from './picture-recipe.ts'

export type PictureJob =
  | { readonly kind: 'inspect'; readonly path: string }
  | { readonly kind: 'make'; readonly path: string; readonly out: string; readonly focus: Focus | null; readonly avif: boolean }
  | { readonly kind: 'crop'; readonly path: string; readonly out: string; readonly ratio: number; readonly focus: Focus }
  | { readonly kind: 'look'; readonly path: string; readonly maxBytes: number }
  | { readonly kind: 'clean'; readonly path: string; readonly out: string }

/** A small image for a model. */
export interface SmallImage {
  readonly base64: string
  readonly mimeType: string
}

/** The facts about a cleaned drawing. */
export type CleanedDrawing = Omit<CleanedSvg, 'svg'>

export interface Pictures {
  /** The id of the process, while it runs. */
  readonly pid: number | undefined
  /**
   * Decodes an image and returns its properties.
   * @throws Failure `unprocessable` for an image that can't be decoded, is too large or takes too long; `unavailable` if too many
   * jobs wait
   */
  inspect(path: string, signal?: AbortSignal): Promise<Inspected>
  /** Makes all sizes of an image. @param out the beginning of the paths of the files @throws Failure as `inspect` */
  make(
    path: string,
    out: string,
    recipe: { readonly focus: Focus | null; readonly avif: boolean },
    signal?: AbortSignal,
  ): Promise<readonly Variant[]>
  /** Cleans a drawing. @param out the path for the result @throws Failure as `inspect` */
  clean(path: string, out: string, signal?: AbortSignal): Promise<CleanedDrawing>
  /** Cuts the largest part of this ratio around the focus. @param out the path for the result @throws Failure as `inspect` */
  crop(path: string, out: string, part: { readonly ratio: number; readonly focus: Focus }, signal?: AbortSignal): Promise<unknown>
  /** Makes a small version of an image. @throws Failure as `inspect` */
  look(path: string, maxBytes: number, signal?: AbortSignal): Promise<SmallImage>
  close(): Promise<void>
}

export interface PicturesOptions {
  readonly log: Log
  readonly timeoutMs: number
  readonly idleMs?: number
  /** The most jobs of callers that may wait. Jobs that make sizes wait in `actions/media/make-variants.ts`, one at a time. */
  readonly maxWaiting?: number
}

/** Creates the runner. It starts no process before the first job. */
export function createPictures({ log, timeoutMs, idleMs = 20_000, maxWaiting = 50 }: PicturesOptions): Pictures {
  let child: ChildProcess | undefined
  const queue = createWorkerQueue<PictureJob, unknown>({
    timeoutMs,
    idleMs,
    maxWaiting,
    log,
    open: (events) => openProcess(events, (opened) => (child = opened)),
    words: { thread: 'the process for images', job: 'an image', verb: 'read' },
    facts: ({ kind }) => ({ kind }),
    failures: {
      full: tooMany,
      tooMuch: () => tooLong(timeoutMs),
      broken,
      refused: (reason) => new Failure('unprocessable', reason),
    },
  })
  const put = <T>(job: PictureJob, signal: AbortSignal | undefined) => queue.put(job, signal) as Promise<T>
  return {
    get pid() {
      return child?.pid
    },
    inspect: (path, signal) => put({ kind: 'inspect', path }, signal),
    make: (path, out, { focus, avif }, signal) => put({ kind: 'make', path, out, focus, avif }, signal),
    clean: (path, out, signal) => put({ kind: 'clean', path, out }, signal),
    crop: (path, out, { ratio, focus }, signal) => put({ kind: 'crop', path, out, ratio, focus }, signal),
    look: (path, maxBytes, signal) => put({ kind: 'look', path, maxBytes }, signal),
    close: () => queue.close(),
  }
}

function openProcess(
  { message, lost }: WorkerEvents<unknown>,
  isNow: (child: ChildProcess | undefined) => void,
): JobWorker<PictureJob> {
  const child = fork(fileURLToPath(workerFile('media/picture-worker.js', import.meta.url)), [], {
    // The service's environment is not passed on, because it may contain secrets.
    env: { MALLOC_ARENA_MAX: '2' },
    execArgv: ['--max-old-space-size=128', '--no-warnings'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // An idle process must not keep the service alive.
  child.unref()
  child.channel?.unref()
  child.on('message', message)
  child.on('error', lost)
  child.on('exit', (code, by) => lost(new Error(`it ended with ${by ?? code}`)))
  isNow(child)
  return {
    send: (job) => child.send(job),
    ref: () => undefined,
    unref: () => undefined,
    end() {
      isNow(undefined)
      child.kill('SIGKILL')
    },
  }
}

const tooMany = (): Failure =>
  new Failure('unavailable', 'Too many images are waiting to be read. Try again shortly.', { retry_after: 20 })

const tooLong = (ms: number): Failure =>
  new Failure('unprocessable', `This image took more than ${ms / 1000} seconds, so the work on it was stopped. Make it smaller.`)

const broken = (cause: Error | undefined, started: boolean): Failure =>
  started
    ? new Failure(
        'unprocessable',
        'This image can not be decoded: it is damaged, or broke off on its way. Export it again, and send it again.',
        {},
        { cause },
      )
    : new Failure('unavailable', 'Images can not be read just now. Try again in a moment.', { retry_after: 5 }, { cause })
