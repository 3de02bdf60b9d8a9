// Replaces the site of a home by a backup. The new site is prepared and tested next to the old one, the old one is saved, and
// then the two are swapped. If the process is killed during the swap, the next process completes it (`swap.ts`). `carry-over.ts`
// decides who has access afterwards. A restore holds the home's exclusive lock until it ends.

import { readdir, readFile, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { recordActivity } from '../activity/record.ts'
import type { Clock } from '../base/clock.ts'
import { replaceFile, syncToDisk } from '../base/durable.ts'
import { errorMessage } from '../base/error-message.ts'
import { Failure } from '../base/failure.ts'
import type { Caller } from '../identity/caller.ts'
import { makeHome } from '../identity/home.ts'
import { isKeyOf } from '../identity/site-key.ts'
import type { Log } from '../base/log.ts'
import { unlessMissing } from '../base/missing.ts'
import { pluginsFolderOf } from '../plugins/plugin-store.ts'
import { type Db, openStore } from '../store/core/database.ts'
import { newId } from '../store/core/ids.ts'
import { type DatabaseSettings, findDatabase } from '../store/core/place.ts'
import type { BackupRow } from '../store/core/schema.ts'
import { isSealedFile } from './archive-source.ts'
import { keepBackup } from './backup-store.ts'
import { makeArchive } from './backups.ts'
import { type CarriedOver, carryOver } from './carry-over.ts'
import { checkCopy, type TrySite } from './check-copy.ts'
import { enterHomeAlone } from './enter-home.ts'
import { giveAllTo, ownerOf } from './owner.ts'
import { inTurn, isBackupName } from './folder.ts'
import { databasePath, keyPath, type BackupManifest } from './manifest.ts'
import { openTarget, type RestoreTarget } from './restore-target.ts'
import { isSwapPending, makeWorkFolder } from './swap.ts'
import { readManifest, unpack } from './unpack.ts'

export interface RestoreOrder {
  readonly home: string
  /** The database of the site that is replaced. */
  readonly database: DatabaseSettings
  /** The folder of backups, in which the current site is saved. */
  readonly folder: string
  /** Path of the backup. */
  readonly file: string
  /** True to save the current site first. */
  readonly save: boolean
  /** See `CarryOverOptions`. */
  readonly keepTokens: boolean
  readonly otherSite: boolean
  /** Called only if the backup is sealed. */
  readonly passphrase: () => Promise<string | undefined>
  /** The caller of the restore, for the activity record in the restored site. */
  readonly caller: Caller
  readonly clock: Clock
  readonly log: Log
  readonly trySite: TrySite
}

/** The outcome of a restore. */
export interface Restored {
  readonly manifest: BackupManifest
  /** The backup of the replaced site; null if there was no site, or if it was not to be saved. */
  readonly saved: BackupRow | null
  readonly carried: CarriedOver
}

/**
 * Restores a backup. A failure leaves the site unchanged.
 * @throws Failure `refused` while the site is in use; `not_found`, `unprocessable` or `refused` for a backup that can't be
 * restored
 */
export async function restore(order: RestoreOrder): Promise<Restored> {
  const place = await findDatabase(order.database)
  const { leave } = await enterHomeAlone(order.home, place)
  let target: RestoreTarget | undefined
  try {
    target = await openTarget(order.home, place)
    const { bringIn, finish } = target
    return await inTurn(order.folder, await ownerOf(order.home), async () => {
      const coming = await makeWorkFolder(order.home)
      try {
        const passphrase = (await isSealedFile(order.file)) ? await order.passphrase() : undefined
        const manifest = await unpack(order.file, coming, { durable: true, passphrase })
        const standing = await target?.findStanding()
        await checkCopy(coming, manifest, order.trySite, { later: standing === undefined ? undefined : { standing } })
        let saved: BackupRow | null = null
        const save = async () => {
          // This backup is not sealed, because it stays on this machine.
          if (standing !== undefined && order.save)
            saved = await saveCurrentSite(order, () =>
              makeArchive(
                { ...order, database: { url: undefined, passwordFile: undefined, path: standing } },
                { note: saving + basename(order.file) },
              ),
            )
          return saved
        }
        const carried = await makeReady(order, coming, standing, save, manifest)
        const owner = await ownerOf(order.home)
        for (const folder of [coming, await realpath(join(coming, 'user-content'))]) await giveAllTo(folder, owner)
        await bringIn()
        await makeHome(order.home, 'path' in place)
        return { manifest, saved, carried }
      } catch (error) {
        // If the swap has begun, it is completed; otherwise the work folder is deleted, and the site is unchanged.
        if (await isSwapPending(order.home)) await finish()
        throw error
      }
    })
  } finally {
    await target?.close()
    await leave()
  }
}

const saving = 'Before the restore of '
/**
 * The newest backup in a folder, by its file name. Backups that a restore saved don't count: otherwise running the same restore
 * twice would undo the first one.
 * @returns undefined if there is none
 */
export async function findLatest(folder: string): Promise<string | undefined> {
  const names = ((await unlessMissing(readdir(folder))) ?? []).filter(isBackupName).sort()
  for (const name of names.toReversed()) {
    const note = await readManifest(join(folder, name)).then(
      ({ note }) => note,
      // The note of a damaged or sealed backup can't be read. The restore reports the reason when it opens the file.
      () => null,
    )
    if (!note?.startsWith(saving)) return name
  }
  return undefined
}

async function saveCurrentSite(order: RestoreOrder, make: () => Promise<{ row: BackupRow }>): Promise<BackupRow> {
  try {
    return (await make()).row
  } catch (cause) {
    const why = errorMessage(cause)
    const hint = `postern restore ${order.file} --no-save`
    throw new Failure(
      'refused',
      `The current site can't be saved first: ${why} Nothing was changed.`,
      { rule: 'a restore saves the current site first', hint },
      { cause },
    )
  }
}

/** Prepares the new site for the swap: lowers its rights, saves the current site, and records the restore. */
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
      // All checks are done by now, so a refused restore doesn't save the current site.
      const saved = await save()
      if (saved) await keepBackup(db, saved)
      const happened = { id: newId(now), call: 'SVC_Backup.restore', summary: `Restores the backup of ${manifest.created_at}.` }
      const runs = [{ name: happened.call, tier: 'admin' as const, effect: 'destroy' }]
      recordActivity(db, { ...happened, runs, caller, input: { file, id: manifest.id }, records: [], now })
    })
  } finally {
    await store.close()
  }
  // Closing the store has emptied and removed the write-ahead log, so the database is one file.
  for (const path of [database, join(coming, 'data')]) await syncToDisk(path)
  return carried
}

/**
 * Uses the site's current key when a backup of the same site is restored. The backup's key may be older than the current one, or
 * may contain a secret that someone added. If the current key is lost, the backup's key is used.
 */
async function keepKey(db: Db, home: string, coming: string): Promise<void> {
  const secret = await readFile(join(home, keyPath)).catch(() => undefined)
  const fact = await db.selectFrom('site_fact').select('value').where('name', '=', 'key_fingerprint').executeTakeFirst()
  if (!secret || !fact || !isKeyOf(secret, fact.value)) return
  await replaceFile(join(coming, keyPath), secret, { mode: 0o600 })
}
