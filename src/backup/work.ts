// The heavy work of a backup: reading, hashing, packing and testing hundreds of megabytes. A service does this in a separate
// thread, so that no answer is delayed. The command line does it in its main thread.

import { Worker } from 'node:worker_threads'
import type { Config } from '../base/config.ts'
import { Failure, type FailureDetail, type Code } from '../base/failure.ts'
import { workerFile } from '../base/worker-file.ts'
import type { TrySite } from './check-copy.ts'
import { hashFile } from '../base/hash-file.ts'
import { tryFile, type TryOrder } from './try-file.ts'
import { type Archive, type ArchiveOrder, writeArchive } from './write-archive.ts'

export interface BackupWork {
  /** Makes a backup, as `writeArchive` does. */
  archive(order: ArchiveOrder): Promise<Archive>
  /** Tests a backup, as `tryFile` does. */
  try(order: TryOrder): Promise<void>
  /** Returns the SHA-256 of a file, in hex. */
  hash(order: { readonly path: string; readonly signal?: AbortSignal | undefined }): Promise<string>
}

/** Does the work in the current thread. */
export function workHere(trySite: TrySite): BackupWork {
  return {
    archive: writeArchive,
    try: (order) => tryFile(order, trySite),
    hash: ({ path, signal }) => hashFile(path, signal),
  }
}

/** The data with which the thread `app/backup-worker.ts` is started. Any later message to the thread aborts its job. */
export interface Job {
  readonly name: keyof BackupWork
  /** May contain a passphrase, which is passed in memory only. */
  readonly order: unknown
  readonly config: Config
}

/** The result of a job, which is the last message of its thread. */
export type Ended = { readonly done: unknown } | { readonly failure: PlainFailure }

/**
 * An error in a form that threads can send. Sending an error object would lose the class of a Failure and the code of a file system
 * error.
 */
interface PlainFailure {
  readonly message: string
  readonly code: unknown
  readonly stack: string | undefined
  /** Set only for a Failure. */
  readonly detail?: FailureDetail
}

export function plainFailure(error: unknown): PlainFailure {
  if (error instanceof Failure) return { message: error.message, code: error.code, stack: error.stack, detail: error.detail }
  if (!(error instanceof Error)) return { message: String(error), code: undefined, stack: undefined }
  return { message: error.message, code: (error as { code?: unknown }).code, stack: error.stack }
}

function errorOf({ message, code, stack, detail }: PlainFailure): Error {
  const error = detail ? new Failure(code as Code, message, detail) : Object.assign(new Error(message), { code })
  if (stack !== undefined) error.stack = stack
  return error
}

/** Does the work in a new thread per job. @param config the service's configuration, with which a backup is tested */
export function workInThreads(config: Config): BackupWork {
  return {
    archive: ({ signal, ...order }) => runInThread({ name: 'archive', order, config }, signal) as Promise<Archive>,
    hash: ({ signal, ...order }) => runInThread({ name: 'hash', order, config }, signal) as Promise<string>,
    try: async ({ signal, ...order }) => void (await runInThread({ name: 'try', order, config }, signal)),
  }
}

/** Runs a job in a thread, and waits until the thread has exited, because it may have files open until then. */
async function runInThread(job: Job, signal: AbortSignal | undefined): Promise<unknown> {
  signal?.throwIfAborted()
  const worker = new Worker(workerFile('backup-worker.js', import.meta.url), { workerData: job, env: {}, execArgv: [] })
  const end = () => worker.postMessage('end')
  signal?.addEventListener('abort', end, { once: true })
  try {
    const ended = await new Promise<Ended | undefined>((resolve, reject) => {
      let last: Ended | undefined
      worker.on('message', (message: Ended) => (last = message))
      worker.on('error', reject)
      worker.on('exit', () => resolve(last))
    })
    if (ended && 'done' in ended) return ended.done
    signal?.throwIfAborted()
    throw ended ? errorOf(ended.failure) : new Error('The thread that made or tried a backup ended by itself.')
  } finally {
    signal?.removeEventListener('abort', end)
  }
}
