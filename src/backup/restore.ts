// Replaces the site of a home by a backup. The new site is prepared and tested beside the old one, the old one is saved, and one swap follows,
// which a kill can't leave half done (swap.ts). carry-over.ts decides who has access afterwards. A restore holds the home's exclusive lock.

import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { recordActivity } from '../activity/record.ts'
import type { Clock } from '../clock.ts'
import { replaceFile, syncToDisk } from '../durable.ts'
import { errorMessage } from '../error-message.ts'
import { Failure } from '../failure.ts'
import type { Caller } from '../identity/caller.ts'
import { makeHome } from '../identity/home.ts'
import { isKeyOf } from '../identity/site-key.ts'
import type { Log } from '../log.ts'
import { unlessMissing } from '../missing.ts'
import { pluginsFolderOf } from '../plugins/plugin-store.ts'
import { type Db, openStore } from '../store/database.ts'
import { newId } from '../store/ids.ts'
import type { BackupRow } from '../store/schema.ts'
import { isSealedFile } from './archive-source.ts'
import { keepBackup } from './backup-store.ts'
import { makeArchive } from './backups.ts'
import { type CarriedOver, carryOver } from './carry-over.ts'
import { checkCopy, type TrySite } from './check-copy.ts'
import { enterHomeAlone } from './enter-home.ts'
import { giveAllTo, ownerOf } from './owner.ts'
import { inTurn, isBackupName } from './folder.ts'
import { databasePath, keyPath, type BackupManifest } from './manifest.ts'
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
  readonly otherSite: boolean
  /** Asked for where the backup is sealed. */
  readonly passphrase: () => Promise<string | undefined>
  /** Who restores it, for the record that it leaves in the site. */
  readonly caller: Caller
  readonly clock: Clock
  readonly log: Log
  readonly trySite: TrySite
}

/** What a restore did. */
export interface Restored {
  readonly manifest: BackupManifest
  /** The backup of what was there; null where nothing was, or it was not to be saved. */
  readonly saved: BackupRow | null
  readonly carried: CarriedOver
}

/**
 * Restores a backup.
 * @throws Failure `refused` while the site is in use; `not_found`, `unprocessable` or `refused` for a backup that can't be restored. After a
 * failure the site is as it was
 */
export async function restore(order: RestoreOrder): Promise<Restored> {
  const { leave } = await enterHomeAlone(order.home)
  try {
    return await inTurn(order.folder, await ownerOf(order.home), async (turn) => {
      const coming = await makeWorkFolder(order.home)
      try {
        const passphrase = (await isSealedFile(order.file)) ? await order.passphrase() : undefined
        const manifest = await unpack(order.file, coming, { durable: true, passphrase })
        const standing = (await hasDatabase(order.home)) ? join(order.home, databasePath) : undefined
        await checkCopy(coming, manifest, order.trySite, { later: standing === undefined ? undefined : { standing } })
        let saved: BackupRow | null = null
        const save = async () => {
          // Open on this machine, as it goes nowhere; whoever takes it away seals it.
          if (standing !== undefined && order.save)
            saved = await saveWhatIsThere(order, () => makeArchive(order, turn, noteOf(order)))
          return saved
        }
        const carried = await makeReady(order, coming, standing, save, manifest)
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
      ({ note }) => note,
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
    const why = errorMessage(cause)
    const hint = `postern restore ${order.file} --no-save`
    throw new Failure(
      'refused',
      `What is there can't be saved first: ${why} Nothing was changed.`,
      { rule: 'a restore saves what is there', hint },
      { cause },
    )
  }
}

/** The new site as it is to be: nobody may do more than before, what was there saved, and the restore on record. */
async function makeReady(
  { home, keepTokens, otherSite, caller, clock, log, file }: RestoreOrder,
  coming: string,
  standing: string | undefined,
  save: () => Promise<BackupRow | null>,
  manifest: BackupManifest,
): Promise<CarriedOver> {
  const now = clock.now()
  const database = join(coming, databasePath)
  const store = await openStore({ path: database, readers: 1, log })
  let carried: CarriedOver
  try {
    const options = { standing, pluginsFolder: pluginsFolderOf(coming), now, keepTokens, otherSite }
    carried = await carryOver(store, options, async (db, { unknown }) => {
      if (unknown === null) await keepKey(db, home, coming)
      // What refuses a backup has been asked by now: nothing is saved for one that isn't restored.
      const saved = await save()
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

/**
 * The same site keeps the key that is in force: the backup's may have been replaced since, or somebody may have put a secret of their own before
 * it. Where it is lost, the backup's takes its place.
 */
async function keepKey(db: Db, home: string, coming: string): Promise<void> {
  const secret = await readFile(join(home, keyPath)).catch(() => undefined)
  const fact = await db.selectFrom('site_fact').select('value').where('name', '=', 'key_fingerprint').executeTakeFirst()
  if (!secret || !fact || !isKeyOf(secret, fact.value)) return
  await replaceFile(join(coming, keyPath), secret, { mode: 0o600 })
}
