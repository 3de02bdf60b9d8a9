// The heavy half of a backup: some hundred megabytes to be read, hashed, packed and tried. A service has it done in a thread of its own, so
// that nobody's answer waits for it; the command line does it where it is.

import { Worker } from 'node:worker_threads'
import type { Config } from '../config.ts'
import { Failure, type FailureDetail, type Code } from '../failure.ts'
import { workerFile } from '../worker-file.ts'
import type { TrySite } from './check-copy.ts'
import { hashFile } from './file-parts.ts'
import { tryFile, type TryOrder } from './try-file.ts'
import { type Archive, type ArchiveOrder, writeArchive } from './write-archive.ts'

interface HashOrder {
  readonly path: string
  readonly signal?: AbortSignal | undefined
}

export interface BackupWork {
  /** Makes a file, as `writeArchive` does. */
  archive(order: ArchiveOrder): Promise<Archive>
  /** Tries one, as `tryFile` does. */
  try(order: TryOrder): Promise<void>
  /** SHA-256 of one, in hex. */
  hash(order: HashOrder): Promise<string>
}

export function workHere(trySite: TrySite): BackupWork {
  return {
    archive: writeArchive,
    try: (order) => tryFile(order, trySite),
    hash: ({ path, signal }) => hashFile(path, signal),
  }
}

/** What the thread `backup-worker.ts` is begun with. A later message, whatever it is, ends its job. */
export interface Job {
  readonly name: keyof BackupWork
  /** A passphrase in it goes from memory to memory. */
  readonly order: unknown
  readonly config: Config
}

/** What became of it; its last word. */
export type Ended = { readonly done: unknown } | { readonly failure: PlainFailure }

/** An error as threads can pass it on: a Failure's class doesn't arrive, nor does the code of a file system's error. */
interface PlainFailure {
  readonly message: string
  readonly code: unknown
  readonly stack: string | undefined
  /** A Failure's alone. */
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

/** The same in a thread a job. @param config of the service: a backup is tried with its settings */
export function workInThreads(config: Config): BackupWork {
  return {
    archive: ({ signal, ...order }) => runInThread({ name: 'archive', order, config }, signal) as Promise<Archive>,
    hash: ({ signal, ...order }) => runInThread({ name: 'hash', order, config }, signal) as Promise<string>,
    try: async ({ signal, ...order }) => void (await runInThread({ name: 'try', order, config }, signal)),
  }
}

/** Its end is waited for: until then it may have files open. */
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
