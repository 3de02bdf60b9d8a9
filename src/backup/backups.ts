// Makes, tests, prunes and deletes the backups of a site, while the site is being served. Each new backup is tested at once by
// restoring it in a scratch folder. If it passes, older backups are pruned. `restore.ts` restores a backup.

import { constants } from 'node:fs'
import { access, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { errorMessage } from '../base/error-message.ts'
import { Failure } from '../base/failure.ts'
import type { Progress } from '../jobs/jobs.ts'
import type { Log } from '../base/log.ts'
import { unlessMissing } from '../base/missing.ts'
import { releases } from '../base/release.ts'
import type { Store } from '../store/core/database.ts'
import { newId } from '../store/core/ids.ts'
import type { DatabaseSettings } from '../store/core/place.ts'
import type { BackupRow } from '../store/core/schema.ts'
import { isSealedFile } from './archive-source.ts'
import { forgetBackup, keepBackup, listBackups, noteVerified, readSchedule } from './backup-store.ts'
import type { TrySite } from './check-copy.ts'
import { wakeSending } from './elsewhere/target-store.ts'
import { draftIn, fileNameOf, inTurn, isBackupName, scratchIn } from './folder.ts'
import { ownerOf } from './owner.ts'
import { checkPassphrase } from './passphrase.ts'
import { chooseForgotten } from './retention.ts'
import { isAboutPassphrase } from './sealed-header.ts'
import { tryFile } from './try-file.ts'
import { readManifest } from './unpack.ts'
import { checkHere, isElsewhere, isOwn } from './where.ts'
import type { BackupWork } from './work.ts'
import { type Archive, writeArchive } from './write-archive.ts'

export interface NewBackup {
  readonly note: string | null
  /**
   * A path to write to, instead of a file in the folder of backups. Such a backup must be sealed. It is neither listed nor pruned.
   */
  readonly out?: string | undefined
  /** Seals this backup instead of the site's own passphrase. */
  readonly passphrase?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Called when each of the three steps begins: making the backup, testing it, and pruning older backups. */
  readonly progress?: ((progress: Progress) => void) | undefined
}

/** The parts of a site that backups need. */
export interface BackupParts {
  readonly home: string
  readonly database: DatabaseSettings
  /** `POSTERN_BACKUPS`. */
  readonly folder: string
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly work: BackupWork
  /** The site's own passphrase; undefined if none is set. @throws Failure if it is set and can't be used */
  passphrase(): Promise<string | undefined>
}

export interface Verify {
  /** The passphrase for a sealed backup, instead of the site's own one. */
  readonly passphrase?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Backups {
  readonly folder: string
  /**
   * Makes a backup, sealed if there is a passphrase, tests it, and prunes older backups if it is good.
   * @throws Failure `unavailable` when another run is in progress or the disk fails; `refused` for an unsealed backup outside the
   * folder; `invalid` for an invalid passphrase; `failed` for a backup that was made and failed its test
   */
  create(order: NewBackup): Promise<BackupRow>
  /** Tests a listed backup and stores the result. @throws Failure `unprocessable`, `refused`, `not_found` */
  verify(row: BackupRow, how?: Verify): Promise<BackupRow>
  /** Tests any file. @throws Failure as `verify` does */
  verifyFile(path: string, how?: Verify): Promise<void>
  /** True if the site has a passphrase of its own. @throws Failure as `BackupParts.passphrase` */
  hasPassphrase(): Promise<boolean>
  isElsewhere(row: BackupRow): Promise<boolean>
  /** @throws Failure `refused` if another machine has one of the files */
  checkHere(rows: readonly BackupRow[]): Promise<void>
  /** Deletes files with their rows. */
  remove(rows: readonly BackupRow[]): Promise<void>
  pathOf(row: Pick<BackupRow, 'file'>): string
}

/** The release of this program. */
const version = releases.at(-1) ?? ''

/** Makes a backup of a home without opening its site. A restore uses this to save the current site. */
export async function makeArchive(
  { home, database, folder, clock }: Pick<BackupParts, 'home' | 'database' | 'folder' | 'clock'>,
  { note, out, passphrase, signal }: NewBackup,
  write: BackupWork['archive'] = writeArchive,
): Promise<{ row: BackupRow; archive: Archive }> {
  const now = clock.now()
  const id = newId(now)
  const file = fileNameOf(id, now, passphrase !== undefined)
  const to = out ?? join(folder, file)
  const copy = draftIn(folder)
  const draft = out === undefined ? copy : `${out}.making`
  const owner = await ownerOf(home)
  const archive = await write({ home, database, to, draft, copy, id, version, note, now, passphrase, owner, signal })
  const { bytes, sha256, manifest } = archive
  const kept = { id, file: out === undefined ? file : basename(out), created_at: now, bytes, sha256, note }
  return { row: { ...kept, version, schema: manifest.schema, verified_at: null, error: null, node: hostname() }, archive }
}

export function createBackups(parts: BackupParts): Backups {
  const { home, folder, store, log } = parts
  const passphraseFor = async (path: string, given: string | undefined) =>
    (await isSealedFile(path)) ? (given ?? (await parts.passphrase())) : undefined
  const pathOf: Backups['pathOf'] = ({ file }) => join(folder, file)
  const turn = async <T>(run: () => Promise<T>) => inTurn(folder, await ownerOf(home), run)

  return {
    folder,
    pathOf,

    create: ({ note, out, passphrase: given, signal, progress = () => undefined }) =>
      turn(async () => {
        progress({ done: 0, total: 3, note: 'making' })
        if (given !== undefined) checkPassphrase(given)
        const passphrase = given ?? (await parts.passphrase())
        if (out === undefined) {
          checkPrivate(home, folder)
          await adoptStrays(parts, signal)
        } else {
          if (passphrase === undefined) throw notSealed()
          await checkFree(out)
        }
        const { row, archive } = await makeArchive(parts, { note, out, passphrase, signal }, parts.work.archive)
        const { left_out: leftOut = [] } = archive.manifest
        if (leftOut.length > 0) log.warn('not in the backup', { backup: row.file, files: leftOut.slice(0, 20) })
        if (out === undefined) await store.transaction((db) => keepBackup(db, row))
        const path = out ?? pathOf(row)
        progress({ done: 1, total: 3, note: 'testing' })
        const tested = await testOne(parts, row, { path, passphrase, signal }).catch(async (cause: unknown) => {
          if (!signal?.aborted)
            throw new Failure(
              'failed',
              `The backup was made, but can't be restored: ${errorMessage(cause)}`,
              { id: row.id },
              { cause },
            )
          // The test did not finish. The caller gets the answer that no backup was made.
          await rm(path, { force: true })
          if (out === undefined) await store.transaction((db) => forgetBackup(db, row.id))
          throw cause
        })
        progress({ done: 2, total: 3, note: 'pruning older backups' })
        if (out === undefined) {
          await prune(parts)
          await wakeSending(store, parts.clock.now())
        }
        log.info('backup made', { id: row.id, file: out ?? row.file, bytes: row.bytes })
        return tested
      }),

    isElsewhere: (row) => isElsewhere(parts, row),
    checkHere: (rows) => checkHere(parts, rows),

    verify: (row, { passphrase, signal } = {}) =>
      turn(async () => {
        await checkHere(parts, [row])
        const path = pathOf(row)
        return testOne(parts, row, { path, passphrase: await passphraseFor(path, passphrase), signal })
      }),

    verifyFile: (path, { passphrase, signal } = {}) =>
      turn(async () =>
        parts.work.try({ path, scratch: scratchIn(folder), passphrase: await passphraseFor(path, passphrase), signal }),
      ),

    hasPassphrase: async () => (await parts.passphrase()) !== undefined,

    // Takes no lock, because a deletion must not wait for a run that may take hours.
    remove: (rows) => removeAll(parts, rows),
  }
}

/** Tests a file as `verify` does, without opening the site that it belongs to. @throws Failure as `verify` does */
export async function verifyApart(trySite: TrySite, path: string, passphrase?: string): Promise<void> {
  const folder = dirname(path)
  await inTurn(folder, await ownerOf(folder), () => tryFile({ path, scratch: scratchIn(folder), passphrase }, trySite))
}

const notSealed = () =>
  new Failure('refused', 'A backup that is not sealed stays in the folder of backups: there is no passphrase to seal it with.', {
    rule: 'what leaves the machine is sealed',
    hint: 'Keep a passphrase in /etc/credstore/postern-backup-passphrase or POSTERN_BACKUP_PASSPHRASE_FILE, or name one: --passphrase-file FILE.',
  })

/** Refuses a folder of backups in `user-content/`, because web servers serve files from there without asking Postern. */
function checkPrivate(home: string, folder: string): void {
  const served = join(home, 'user-content')
  if (folder !== served && !folder.startsWith(`${served}/`)) return
  throw new Failure(
    'refused',
    `The folder of backups ${folder} lies in user-content/, which a web server may serve: name another one.`,
    {
      rule: 'no backup lies where it may be served',
      hint: 'Unset POSTERN_BACKUPS, or name a folder outside of user-content/.',
    },
  )
}

async function checkFree(out: string): Promise<void> {
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

async function testOne(
  parts: BackupParts,
  row: BackupRow,
  { path, passphrase, signal }: Verify & { readonly path: string },
): Promise<BackupRow> {
  const { store, clock, folder } = parts
  const note = (error: string | null) => store.transaction((db) => noteVerified(db, row.id, clock.now(), error))
  try {
    await parts.work.try({ path, scratch: scratchIn(folder), sha256: row.sha256, passphrase, signal })
  } catch (error) {
    // A test that was aborted or had the wrong passphrase says nothing about the file.
    if (!signal?.aborted && !isAboutPassphrase(error)) await note(errorMessage(error))
    throw error
  }
  await note(null)
  return { ...row, verified_at: clock.now(), error: null }
}

/** Deletes rows without a file, and adds rows for files that have none because a run was killed or a database was lost. */
async function adoptStrays(
  { store, folder, log, work, passphrase }: BackupParts,
  signal: AbortSignal | undefined,
): Promise<void> {
  const names = (await readdir(folder)).filter(isBackupName)
  const rows = await listBackups(store.read)
  const gone = rows.filter((row) => isOwn(store, row) && !names.includes(row.file))
  for (const row of gone) await store.transaction((db) => forgetBackup(db, row.id))
  for (const file of names.filter((name) => !rows.some((row) => row.file === name))) {
    try {
      const path = join(folder, file)
      const manifest = await readManifest(path, await passphrase())
      const { size: bytes } = await stat(path)
      const { id, note, schema, version: made, created_at: at } = manifest
      const row = {
        id,
        file,
        created_at: Date.parse(at),
        bytes,
        sha256: await work.hash({ path, signal }),
        note,
        version: made,
        schema,
      }
      await store.transaction((db) => keepBackup(db, { ...row, verified_at: null, error: null, node: hostname() }))
    } catch (error) {
      signal?.throwIfAborted()
      const event = isAboutPassphrase(error)
        ? 'backup sealed with another passphrase'
        : 'file has the name of a backup but is not one'
      log.warn(event, { file, error })
    }
  }
}

async function prune(parts: BackupParts): Promise<void> {
  const { store, clock } = parts
  const rows = []
  for (const row of await listBackups(store.read)) if (!(await isElsewhere(parts, row))) rows.push(row)
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
