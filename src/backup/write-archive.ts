// Makes the file of a backup: database, keys, files, and last the manifest. It appears under its name whole and on disk, or not at all. Where it
// lies, what it is called and who may make one at a time is `backups.ts`'s.

import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncToDisk } from '../durable.ts'
import { copyDatabase, filesOf, readDatabaseFacts } from '../store/database-file.ts'
import { databasePath, type LeftOut, type BackupManifest } from './manifest.ts'
import { openArchive } from './open-archive.ts'
import { giveTo, type Owner } from './owner.ts'
import { checkRoom } from './room.ts'
import { findSavedFiles } from './saved-files.ts'
import { createSealing } from './sealed-header.ts'
import { dropUnsaved } from './single-use.ts'

/** What is to be saved, and as what. */
export interface ArchiveOrder {
  readonly home: string
  /** Where the file is to be. */
  readonly to: string
  /** A path on the same file system, which no other run uses: an archive that is not finished is called so, with an ending. */
  readonly draft: string
  /** The same for the copy of the database, in the folder of backups: what isn't sealed lies nowhere else. */
  readonly copy: string
  readonly id: string
  readonly version: string
  readonly note: string | null
  /** UTC milliseconds. */
  readonly now: number
  /** What the archive is sealed with; undefined leaves it open. */
  readonly passphrase?: string | undefined
  /** Whose it is to be. */
  readonly owner?: Owner | undefined
  readonly signal?: AbortSignal | undefined
}

/** A backup as it was made. */
export interface Archive {
  readonly manifest: BackupManifest
  readonly bytes: number
  /** Of the whole file, in hex. */
  readonly sha256: string
}

/** Makes a backup of a home, served or not. What is written meanwhile is in it whole or not at all. */
export async function writeArchive(order: ArchiveOrder): Promise<Archive> {
  const { home, to, draft, now, id, version, note, owner, signal, passphrase } = order
  const copy = `${order.copy}.db`
  const file = `${draft}.tar`
  const drop = async () => {
    for (const path of [...filesOf(copy), file]) await rm(path, { force: true })
  }
  // What a killed run left.
  await drop()
  try {
    signal?.throwIfAborted()
    await checkRoom(home, { archive: dirname(file), scratch: dirname(copy) })
    await copyDatabase(join(home, databasePath), copy)
    await dropUnsaved(copy)
    const facts = await readDatabaseFacts(copy)
    // Later than the database: a file that its rows speak of is there, unless it was deleted since.
    const { paths, leftOut } = await findSavedFiles(home)
    const sealing = passphrase === undefined ? undefined : await createSealing(passphrase)
    const writer = await openArchive(file, signal, sealing)
    try {
      await writer.add(copy, databasePath)
      const gone: LeftOut[] = []
      for (const path of paths) if (!(await writer.add(join(home, path), path))) gone.push({ path, why: 'gone meanwhile' })
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
