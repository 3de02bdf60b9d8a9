// Sends the backups of a site to a place on another machine, prunes them there, checks them, and fetches them. The folder of the
// machine decides: a run compares it with the place and sends what is missing, so a run that fails needs no other repair.

import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { errorMessage } from '../../base/error-message.ts'
import { Failure } from '../../base/failure.ts'
import type { Log } from '../../base/log.ts'
import type { SiteKey } from '../../identity/site-key.ts'
import type { Progress } from '../../jobs/jobs.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { Store } from '../../store/core/database.ts'
import { lockFile } from '../../store/core/file-lock.ts'
import type { BackupCopyRow, BackupRow } from '../../store/core/schema.ts'
import { isSealedFile } from '../archive-source.ts'
import { listBackups, readSchedule } from '../backup-store.ts'
import type { Backups } from '../backups.ts'
import { ownerOf } from '../owner.ts'
import { isAboutPassphrase } from '../sealed-header.ts'
import { chooseChecked, choosePruned, chooseSent } from './choose.ts'
import { download, getThere, listSealed } from './download.ts'
import { needsPassphrase, openTargetOf } from './kinds.ts'
import type { BackupTarget, SentBytes, TargetFile } from './target.ts'
import {
  changeCopy,
  findTarget,
  forgetCopy,
  getTarget,
  keepCopy,
  listCopyRows,
  noteTried,
  secretOf,
  type StoredTarget,
} from './target-store.ts'

/** The parts of a site that sending needs. */
export interface ElsewhereParts {
  readonly store: Store
  readonly key: SiteKey
  readonly outbound: Outbound
  readonly clock: Clock
  readonly log: Log
  readonly backups: Backups
}

/** A backup in the folder of the target. */
export interface CopyThere extends TargetFile {
  /** Undefined for a backup that this site did not send. */
  readonly row: BackupCopyRow | undefined
}

/** The outcome of a run, as file names. */
export interface SendResult {
  readonly sent: readonly string[]
  readonly pruned: readonly string[]
  readonly checked: string | null
}

export interface Elsewhere {
  /** True if a run has something to do, without asking the target. */
  isDue(): Promise<boolean>
  /**
   * Sends what is missing there, prunes, and checks the newest copy if that is due. The outcome is noted.
   * @throws Failure `refused` without a target or a passphrase; `unreachable` with the sentence of the server; `unavailable` while
   * another run is in progress
   */
  send(signal: AbortSignal, progress?: (progress: Progress) => void): Promise<SendResult>
  /** Writes, lists, reads and removes a small file. @returns the time that it took @throws Failure `unreachable` */
  test(signal: AbortSignal): Promise<{ readonly host: string; readonly tookMs: number }>
  list(signal: AbortSignal): Promise<readonly CopyThere[]>
  /** Downloads a backup and tests it by restoring it, as `Backups.verify` does. @throws Failure as that, and as `send` */
  verify(name: string, how: { readonly passphrase?: string | undefined; readonly signal: AbortSignal }): Promise<CopyThere>
}

export function createElsewhere(parts: ElsewhereParts): Elsewhere {
  const { store, key, outbound, clock, log, backups } = parts
  const change = store.transaction.bind(store)
  const open = (stored: StoredTarget): BackupTarget =>
    openTargetOf({ settings: stored.settings, secret: secretOf(key, stored), outbound })

  /** The backups on this machine, newest first. */
  const listHere = async (): Promise<readonly BackupRow[]> => {
    const rows: BackupRow[] = []
    for (const row of await listBackups(store.read)) if (!(await backups.isElsewhere(row))) rows.push(row)
    return rows
  }

  const verifyThere = async (
    target: BackupTarget,
    file: TargetFile,
    row: BackupCopyRow | undefined,
    how: { readonly passphrase?: string | undefined; readonly signal: AbortSignal },
  ): Promise<CopyThere> => {
    const note = async (error: string | null) => {
      const result = { verified_at: error === null ? clock.now() : null, error }
      if (row) await change((db) => changeCopy(db, file.name, result))
      return { ...file, row: row && { ...row, ...result } }
    }
    try {
      const { path, drop } = await download(target, file, {
        folder: backups.folder,
        owner: await ownerOf(backups.folder),
        sha256: row?.sha256,
        signal: how.signal,
      })
      try {
        await backups.verifyFile(path, how)
      } finally {
        await drop()
      }
    } catch (error) {
      // Only these say something about the bytes. A server that is away, a full disk or a passphrase doesn't.
      const isAboutBytes = error instanceof Failure && error.code === 'unprocessable' && !isAboutPassphrase(error)
      if (isAboutBytes) await note(errorMessage(error))
      throw error
    }
    return note(null)
  }

  const sendOne = async (target: BackupTarget, { file, created_at, bytes, sha256, note }: BackupRow, signal: AbortSignal) => {
    const path = join(backups.folder, file)
    // This checks the bytes of the file, not its name.
    if (!(await isSealedFile(path))) throw needsPassphrase()
    const row = { file, created_at, bytes, sha256, note, node: hostname(), sent_at: null, verified_at: null, error: null }
    await change((db) => keepCopy(db, row))
    await target.put(file, fileBytes(path, bytes), signal)
    const there = (await target.list(signal)).find(({ name }) => name === file)
    if (there?.bytes !== bytes)
      throw new Failure('unreachable', `${target.host} took ${file}, but has ${there?.bytes ?? 'no'} bytes of it.`)
    await change((db) => changeCopy(db, file, { sent_at: clock.now() }))
    log.info('backup sent', { file, bytes, host: target.host })
  }

  /** Forgets copies that are no longer there, and cleans up after a run of this machine that was killed. */
  const tidy = async (target: BackupTarget, signal: AbortSignal) => {
    const there = new Set((await listSealed(target, signal)).map(({ name }) => name))
    for (const { file, sent_at: sentAt, node } of await listCopyRows(store.read)) {
      if (sentAt === null && node === hostname()) {
        await target.clean(file, signal)
        if (there.has(file)) await target.remove(file, signal)
      } else if (sentAt === null || there.has(file)) continue
      await change((db) => forgetCopy(db, file))
    }
  }

  /** @returns the file; undefined if the folder of backups is in use, and the next run checks it */
  const check = async (target: BackupTarget, { file: name, ...row }: BackupCopyRow, signal: AbortSignal, begin: () => void) => {
    begin()
    try {
      await verifyThere(target, { name, bytes: row.bytes }, { file: name, ...row }, { signal })
      return name
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'unavailable') throw error
      log.warn('copy not checked yet', { file: name, error })
      return undefined
    }
  }

  const run = async (stored: StoredTarget, signal: AbortSignal, progress: (progress: Progress) => void): Promise<SendResult> => {
    if (!(await backups.hasPassphrase())) throw needsPassphrase()
    const target = open(stored)
    await tidy(target, signal)
    const { keep } = await readSchedule(store.read)
    const due = chooseSent(await listHere(), await listCopyRows(store.read), stored, keep, clock.now())
    for (const [done, row] of due.entries()) {
      progress({ done, total: due.length, note: `sending ${row.file}` })
      await sendOne(target, row, signal)
    }
    const pruned = choosePruned(
      (await listCopyRows(store.read)).filter(({ sent_at: at }) => at !== null),
      keep,
      clock.now(),
    )
    for (const { file } of pruned) {
      await target.remove(file, signal)
      await change((db) => forgetCopy(db, file))
    }
    const row = chooseChecked(await listCopyRows(store.read), stored, clock.now())
    const checked =
      row &&
      (await check(target, row, signal, () => progress({ done: due.length, total: due.length, note: `checking ${row.file}` })))
    return { sent: due.map(({ file }) => file), pruned: pruned.map(({ file }) => file), checked: checked ?? null }
  }

  /** Runs while no other process of this machine sends or fetches. */
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    const lock = await lockFile(join(backups.folder, '.sending'), 'exclusive')
    if (!lock)
      throw new Failure('unavailable', 'Another run sends or checks backups elsewhere: ask again when that has ended.', {
        retry_after: 60,
      })
    try {
      return await work()
    } finally {
      await lock.release()
    }
  }

  return {
    async isDue() {
      const stored = await findTarget(store.read)
      if (!stored) return false
      const copies = await listCopyRows(store.read)
      const { keep } = await readSchedule(store.read)
      const now = clock.now()
      return (
        copies.some(({ sent_at: at, node }) => at === null && node === hostname()) ||
        chooseChecked(copies, stored, now) !== undefined ||
        chooseSent(await listHere(), copies, stored, keep, now).length > 0
      )
    },

    async send(signal, progress = () => undefined) {
      const stored = await getTarget(store.read)
      return alone(async () => {
        try {
          const result = await run(stored, signal, progress)
          await change((db) => noteTried(db, clock.now(), null))
          return result
        } catch (error) {
          if (!signal.aborted) await change((db) => noteTried(db, clock.now(), errorMessage(error)))
          throw error
        }
      })
    },

    async test(signal) {
      const target = open(await getTarget(store.read))
      const name = `postern-test-${randomBytes(6).toString('hex')}.txt`
      const bytes = randomBytes(64)
      const started = performance.now()
      try {
        await step('write a file', () =>
          target.put(name, { bytes: bytes.length, read: (start, end) => one(bytes.subarray(start, end)) }, signal),
        )
        const parts: Uint8Array[] = []
        await step('read the file again', () => target.get(name, async (part) => void parts.push(part), signal))
        if (!Buffer.concat(parts).equals(bytes))
          throw new Failure('unreachable', `${target.host} returned other bytes than were written.`)
      } catch (error) {
        await target.remove(name, AbortSignal.timeout(20_000)).catch(() => undefined)
        throw error
      }
      await step('remove the file', () => target.remove(name, signal))
      return { host: target.host, tookMs: Math.round(performance.now() - started) }
    },

    async list(signal) {
      const rows = await listCopyRows(store.read)
      const files = await listSealed(open(await getTarget(store.read)), signal)
      return files.map((file) => ({ ...file, row: rows.find((row) => row.file === file.name && row.sent_at !== null) }))
    },

    async verify(name, how) {
      const target = open(await getTarget(store.read))
      return alone(async () => {
        const file = await getThere(target, name, how.signal)
        const row = (await listCopyRows(store.read)).find((copy) => copy.file === file.name)
        return verifyThere(target, file, row, how)
      })
    },
  }
}

/** Names the step of a test that failed. */
async function step(what: string, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(error.code, `It was not possible to ${what}: ${error.message}`, error.detail, { cause: error })
  }
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const fileBytes = (path: string, bytes: number): SentBytes => ({
  bytes,
  // The end of a read stream is included.
  read: (start, end) => createReadStream(path, { start, end: end - 1, highWaterMark: 256 * 1024 }) as AsyncIterable<Uint8Array>,
})
