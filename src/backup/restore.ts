// Puts a backup in the place of a home's site. Everything is made ready and tried beside; what is there is saved; then one swap, which a kill can't
// leave half done (swap.ts). Who may be let in afterwards is carry-over.ts's. It has the home alone all the while.

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { recordActivity } from '../activity/record.ts'
import type { Clock } from '../clock.ts'
import { syncToDisk } from '../durable.ts'
import { Failure } from '../failure.ts'
import type { Caller } from '../identity/caller.ts'
import { makeHome } from '../identity/home.ts'
import type { Log } from '../log.ts'
import { unlessMissing } from '../missing.ts'
import { openStore } from '../store/database.ts'
import { newId } from '../store/ids.ts'
import type { BackupRow } from '../store/schema.ts'
import { keepBackup } from './backup-store.ts'
import { makeArchive } from './backups.ts'
import { type CarriedOver, carryOver } from './carry-over.ts'
import { checkCopy, type TrySite } from './check-copy.ts'
import { enterHomeAlone } from './enter-home.ts'
import { giveAllTo, ownerOf } from './owner.ts'
import { inTurn, isBackupName } from './folder.ts'
import { databasePath, type Manifest } from './manifest.ts'
import { finishSwap, isSwapPending, makeWorkFolder, swap } from './swap.ts'
import { readManifest, unpack } from './unpack.ts'

export interface RestoreOrder {
  readonly home: string
  /** Where what is there is saved. */
  readonly folder: string
  /** Path of the backup. */
  readonly file: string
  /** Whether what is there is saved first. */
  readonly save: boolean
  /** See `CarryOverOptions`. */
  readonly keepTokens: boolean
  /** Who restores it, for the record that it leaves in the site. */
  readonly caller: Caller
  readonly clock: Clock
  readonly log: Log
  readonly trySite: TrySite
}

/** What a restore did. */
export interface Restored {
  readonly manifest: Manifest
  /** The backup of what was there; null where nothing was, or it was not to be saved. */
  readonly saved: BackupRow | null
  readonly carried: CarriedOver
}

/**
 * Restores a backup.
 * @throws Failure `refused` while the site is in use; `not_found`, `unprocessable` or `refused` for a backup that is of no use; with any
 * failure the site is as it was
 */
export async function restore(order: RestoreOrder): Promise<Restored> {
  const { leave } = await enterHomeAlone(order.home)
  try {
    return await inTurn(order.folder, await ownerOf(order.home), async (turn) => {
      const coming = await makeWorkFolder(order.home)
      try {
        const manifest = await unpack(order.file, coming, { durable: true })
        await checkCopy(coming, manifest, order.trySite)
        const standing = await hasDatabase(order.home)
        const saved = standing && order.save ? await saveWhatIsThere(order, () => makeArchive(order, turn, noteOf(order))) : null
        const carried = await makeReady(order, coming, standing, saved, manifest)
        await giveAllTo(coming, await ownerOf(order.home))
        await swap(order.home)
        await makeHome(order.home)
        return { manifest, saved, carried }
      } catch (error) {
        // Before the swap was decided nothing was touched; after it, whoever comes next brings it to its end.
        await dropUndecided(order.home)
        throw error
      }
    })
  } finally {
    await leave()
  }
}

const saving = 'Before the restore of '
const noteOf = ({ file }: RestoreOrder) => ({ note: `${saving}${file.replace(/^.*\//, '')}` })

/**
 * The newest backup in a folder, by its name. Those that a restore saved don't count: a restore that is given twice would else undo itself.
 * @returns undefined where there is none
 */
export async function findLatest(folder: string): Promise<string | undefined> {
  const names = ((await unlessMissing(readdir(folder))) ?? []).filter(isBackupName).sort()
  for (const name of names.toReversed()) {
    const note = await readManifest(join(folder, name)).then(
      ({ manifest }) => manifest.note,
      // Told as what it is by whoever takes it.
      () => null,
    )
    if (!note?.startsWith(saving)) return name
  }
  return undefined
}

async function dropUndecided(home: string): Promise<void> {
  if (await isSwapPending(home)) await finishSwap(home)
}

/** An empty file is what a first start makes before it is a database. */
async function hasDatabase(home: string): Promise<boolean> {
  return ((await unlessMissing(stat(join(home, databasePath))))?.size ?? 0) > 0
}

async function saveWhatIsThere(order: RestoreOrder, make: () => Promise<{ row: BackupRow }>): Promise<BackupRow> {
  try {
    return (await make()).row
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const hint = `postern restore ${order.file} --no-save`
    throw new Failure(
      'refused',
      `What is there can't be saved first: ${why} Nothing was changed.`,
      { rule: 'a restore saves what is there', hint },
      { cause },
    )
  }
}

/** The new site's database as it is to be: nobody let in who was shut out since, and the restore on record. */
async function makeReady(
  { home, keepTokens, caller, clock, log, file }: RestoreOrder,
  coming: string,
  standing: boolean,
  saved: BackupRow | null,
  manifest: Manifest,
): Promise<CarriedOver> {
  const now = clock.now()
  const database = join(coming, databasePath)
  const store = await openStore({ path: database, readers: 1, log })
  let carried: CarriedOver
  try {
    const options = { standing: standing ? join(home, databasePath) : undefined, now, keepTokens }
    carried = await carryOver(store, options, async (db) => {
      if (saved) await keepBackup(db, saved)
      const happened = { id: newId(now), call: 'SVC_Backup.restore', summary: `Restores the backup of ${manifest.created_at}.` }
      const runs = [{ name: happened.call, tier: 'admin' as const, effect: 'destroy' }]
      await recordActivity(db, { ...happened, runs, caller, input: { file, id: manifest.id }, records: [], now })
    })
  } finally {
    await store.close()
  }
  // Closed, its log is emptied and gone: it is one file.
  for (const path of [database, join(coming, 'data')]) await syncToDisk(path)
  return carried
}
