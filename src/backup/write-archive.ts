// Writes the file of a backup: the database, the key, the saved files, and finally the manifest. The file gets its name only when
// it is complete and flushed to disk. `backups.ts` decides its folder and name, and ensures that one run at a time makes a backup.

import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncToDisk } from '../base/durable.ts'
import { emptyTables, filesOf, readDatabaseFacts } from '../store/core/database-file.ts'
import { type DatabaseSettings, findDatabase } from '../store/core/place.ts'
import { databasePath, type LeftOut, type BackupManifest } from './manifest.ts'
import type { WrittenArchive } from './archive-sink.ts'
import { openArchive } from './open-archive.ts'
import { giveTo, type Owner } from './owner.ts'
import { checkRoom } from './room.ts'
import { findSavedFiles } from './saved-files.ts'
import { createSealing } from './sealed-header.ts'
import { unsaved } from './single-use.ts'

/** The order to make a backup. */
export interface ArchiveOrder {
  readonly home: string
  /**
   * The settings of the database to save. An address with its password is not sent to another thread, so the thread reads the
   * settings.
   */
  readonly database: DatabaseSettings
  readonly to: string
  /** The path of the unfinished archive, without its ending. It is on the same file system as `to`, and no other run uses it. */
  readonly draft: string
  /** The path of the copy of the database, without its ending. The copy isn't sealed, so it must be in the folder of backups. */
  readonly copy: string
  readonly id: string
  readonly version: string
  readonly note: string | null
  /** UTC milliseconds. */
  readonly now: number
  /** Seals the archive. If it is undefined, the archive is not sealed. */
  readonly passphrase?: string | undefined
  readonly owner?: Owner | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Archive extends WrittenArchive {
  readonly manifest: BackupManifest
}

/**
 * Makes a backup of a home, even while its site is being served. A transaction that commits at the same time is in the backup
 * entirely or not at all.
 */
export async function writeArchive(order: ArchiveOrder): Promise<Archive> {
  const { home, to, draft, now, id, version, note, owner, signal, passphrase } = order
  const copy = `${order.copy}.db`
  const file = `${draft}.tar`
  const drop = async () => {
    for (const path of [...filesOf(copy), file]) await rm(path, { force: true })
  }
  // Deletes files of a killed run.
  await drop()
  try {
    signal?.throwIfAborted()
    const place = await findDatabase(order.database)
    await checkRoom(home, place, { archive: dirname(file), scratch: dirname(copy) })
    const { copySite } = await import('../store/core/site-copy.ts')
    await copySite(place, copy, { leaveOut: unsaved, signal })
    // These rows leave no bytes in the file.
    await emptyTables(copy, [...unsaved])
    const facts = await readDatabaseFacts(copy)
    // Files are listed after the database was copied, so that every file that the copy refers to is found, unless it was deleted
    // since.
    const { paths, leftOut } = await findSavedFiles(home)
    const sealing = passphrase === undefined ? undefined : await createSealing(passphrase)
    const writer = await openArchive(file, signal, sealing)
    try {
      await writer.add(copy, databasePath)
      const gone: LeftOut[] = []
      for (const path of paths)
        if (!(await writer.add(join(home, path), path))) gone.push({ path, why: 'deleted during the backup' })
      const at = new Date(now).toISOString()
      const files = [...writer.files]
      const manifest: BackupManifest = {
        format: 1,
        id,
        version,
        ...facts,
        created_at: at,
        note,
        files,
        left_out: [...leftOut, ...gone],
      }
      const { bytes, sha256 } = await writer.finish(manifest, now)
      await giveTo(file, owner)
      await rename(file, to)
      await syncToDisk(dirname(to))
      return { manifest, bytes, sha256 }
    } finally {
      await writer.close()
    }
  } finally {
    await drop()
  }
}
