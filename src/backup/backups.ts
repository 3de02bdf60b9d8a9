// The backups of a site: made while it is served, tried at once by restoring them in a scratch place, thinned out after a success, and deleted.
// Putting one back is restore.ts's.

import { constants } from 'node:fs'
import { access, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Clock } from '../clock.ts'
import { Failure } from '../failure.ts'
import type { Progress } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import { unlessMissing } from '../missing.ts'
import { releases } from '../release.ts'
import type { Store } from '../store/database.ts'
import { newId } from '../store/ids.ts'
import type { BackupRow } from '../store/schema.ts'
import { forgetBackup, keepBackup, listBackups, noteVerified, readSchedule } from './backup-store.ts'
import type { TrySite } from './check-copy.ts'
import { fileNameOf, inTurn, isBackupName, type Turn } from './folder.ts'
import { ownerOf } from './owner.ts'
import { chooseForgotten } from './retention.ts'
import { tryFile } from './try-file.ts'
import { readManifest } from './unpack.ts'
import type { BackupWork } from './work.ts'
import { type Archive, writeArchive } from './write-archive.ts'

export interface NewBackup {
  readonly note: string | null
  /** A path to write to instead of the folder; such a one isn't listed, and stays. */
  readonly out?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Is told of each of the three steps: made, tried, older ones thinned out. */
  readonly progress?: ((progress: Progress) => void) | undefined
}

/** What this part is composed of. */
export interface BackupParts {
  readonly home: string
  /** `POSTERN_BACKUPS`. */
  readonly folder: string
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly work: BackupWork
}

export interface Backups {
  readonly folder: string
  /**
   * Makes a backup, tries it, and thins out the older ones when it is good.
   * @throws Failure `unavailable` when another run is at it or the disk fails; `failed` for one that was made and is of no use
   */
  create(order: NewBackup): Promise<BackupRow>
  /** Tries a backup that is listed, and notes what came of it. @throws Failure `unprocessable`, `refused`, `not_found` */
  verify(row: BackupRow, signal?: AbortSignal): Promise<BackupRow>
  /** Tries any file. @throws Failure as `verify` does */
  verifyFile(path: string, signal?: AbortSignal): Promise<void>
  /** Deletes files with their rows. */
  remove(rows: readonly BackupRow[]): Promise<void>
  /** Where a backup lies. */
  pathOf(row: Pick<BackupRow, 'file'>): string
}

/** Release of the program that makes them. */
const version = releases.at(-1) ?? ''

/** Makes the backup of a home and nothing else; for a restore, which has no open site. */
export async function makeArchive(
  { home, folder, clock }: Pick<BackupParts, 'home' | 'folder' | 'clock'>,
  turn: Turn,
  { note, out, signal }: NewBackup,
  write: BackupWork['archive'] = writeArchive,
): Promise<{ row: BackupRow; archive: Archive }> {
  const now = clock.now()
  const id = newId(now)
  const file = fileNameOf(id, now)
  const to = out ?? join(folder, file)
  const draft = out === undefined ? turn.draft : `${out}.making`
  const archive = await write({ home, to, draft, id, version, note, now, owner: await ownerOf(home), signal })
  const { bytes, sha256, manifest } = archive
  const kept = { id, file: out === undefined ? file : basename(out), created_at: now, bytes, sha256, note }
  return { row: { ...kept, version, schema: manifest.schema, verified_at: null, error: null }, archive }
}

export function createBackups(parts: BackupParts): Backups {
  const { home, folder, store, log } = parts
  const pathOf: Backups['pathOf'] = ({ file }) => join(folder, file)
  const turn = async <T>(run: (turn: Turn) => Promise<T>) => inTurn(folder, await ownerOf(home), run)

  return {
    folder,
    pathOf,

    create: ({ note, out, signal, progress = () => undefined }) =>
      turn(async (mine) => {
        progress({ done: 0, total: 3, note: 'making' })
        if (out !== undefined) await holdFree(out)
        else await adoptStrays(parts, signal)
        const { row, archive } = await makeArchive(parts, mine, { note, out, signal }, parts.work.archive)
        const { left_out: leftOut = [] } = archive.manifest
        if (leftOut.length > 0) log.warn('not in the backup', { backup: row.file, files: leftOut.slice(0, 20) })
        if (out === undefined) await store.transaction((db) => keepBackup(db, row))
        const path = out ?? pathOf(row)
        progress({ done: 1, total: 3, note: 'trying' })
        const tried = await tryOne(parts, mine, row, path, signal).catch(async (cause: unknown) => {
          if (!signal?.aborted)
            throw new Failure('failed', `The backup was made, but is of no use: ${wordsOf(cause)}`, { id: row.id }, { cause })
          // Nothing is known of it, and whoever ended the run is told that nothing was made.
          await rm(path, { force: true })
          if (out === undefined) await store.transaction((db) => forgetBackup(db, row.id))
          throw cause
        })
        progress({ done: 2, total: 3, note: 'thinning out older ones' })
        if (out === undefined) await thinOut(parts)
        log.info('backup made', { id: row.id, file: out ?? row.file, bytes: row.bytes })
        return tried
      }),

    verify: (row, signal) => turn((mine) => tryOne(parts, mine, row, pathOf(row), signal)),

    verifyFile: (path, signal) => turn(({ scratch }) => parts.work.try({ path, scratch, signal })),

    // Beside a run that makes or tries one: what is deleted must not wait for hours, or come back.
    remove: (rows) => removeAll(parts, rows),
  }
}

/**
 * Tries a file as `verify` does, with nothing but the folder that it lies in: no site is opened or asked.
 * @throws Failure as `verify` does
 */
export async function verifyApart(trySite: TrySite, path: string): Promise<void> {
  const folder = dirname(path)
  await inTurn(folder, await ownerOf(folder), ({ scratch }) => tryFile({ path, scratch }, trySite))
}

async function holdFree(out: string): Promise<void> {
  const folder = dirname(out)
  const code = await access(folder, constants.W_OK).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  )
  if (code === 'ENOENT') throw new Failure('not_found', `There is no folder ${folder}.`, { id: folder })
  if (code !== undefined) throw new Failure('unavailable', `Nothing can be written in ${folder} (${code}).`)
  if (await unlessMissing(access(out).then(() => true)))
    throw new Failure('exists', `${out} is there already: a backup takes no file's place.`, { by: out })
}

/** Tries a backup and notes what came of it. */
async function tryOne(
  parts: BackupParts,
  { scratch }: Turn,
  row: BackupRow,
  path: string,
  signal?: AbortSignal,
): Promise<BackupRow> {
  const { store, clock } = parts
  const note = (error: string | null) => store.transaction((db) => noteVerified(db, row.id, clock.now(), error))
  try {
    await parts.work.try({ path, scratch, sha256: row.sha256, signal })
  } catch (error) {
    // Of a run that was ended nothing is known of the file.
    if (!signal?.aborted) await note(wordsOf(error))
    throw error
  }
  await note(null)
  return { ...row, verified_at: clock.now(), error: null }
}

/** Rows and files agree again: a row whose file is gone goes, a file that a killed run, or a lost database, left without one gets one. */
async function adoptStrays({ store, folder, log, work }: BackupParts, signal: AbortSignal | undefined): Promise<void> {
  const names = (await readdir(folder)).filter(isBackupName)
  const rows = await listBackups(store.read)
  for (const row of rows) if (!names.includes(row.file)) await store.transaction((db) => forgetBackup(db, row.id))
  for (const file of names.filter((name) => !rows.some((row) => row.file === name))) {
    try {
      const { manifest, bytes } = await readManifest(join(folder, file))
      const { id, note, schema, version: made, created_at: at } = manifest
      const row = {
        id,
        file,
        created_at: Date.parse(at),
        bytes,
        sha256: await work.hash({ path: join(folder, file), signal }),
        note,
        version: made,
        schema,
      }
      await store.transaction((db) => keepBackup(db, { ...row, verified_at: null, error: null }))
    } catch (error) {
      signal?.throwIfAborted()
      log.warn('no backup, though it is called like one', { file, error })
    }
  }
}

async function thinOut(parts: BackupParts): Promise<void> {
  const { store, clock } = parts
  const rows = await listBackups(store.read)
  const kept = rows.map(({ id, created_at: createdAt, error, note }) => ({
    id,
    createdAt,
    good: error === null,
    noted: note !== null,
  }))
  const forgotten = chooseForgotten(kept, (await readSchedule(store.read)).keep, clock.now())
  await removeAll(
    parts,
    rows.filter(({ id }) => forgotten.includes(id)),
  )
}

async function removeAll({ store, folder, log }: BackupParts, rows: readonly BackupRow[]): Promise<void> {
  for (const row of rows) {
    await rm(join(folder, row.file), { force: true })
    await store.transaction((db) => forgetBackup(db, row.id))
    log.info('backup deleted', { id: row.id, file: row.file })
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
