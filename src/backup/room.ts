// Whether there is room for a backup, asked before anything is written: one that fills the disk would take the site's writes with it.

import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { unlessMissing } from '../missing.ts'
import { databasePath } from './manifest.ts'
import { findSavedFiles } from './saved-files.ts'

/** Where a backup takes room: the archive in one folder, in the other the copy of the database and the place where it is tried. */
interface Folders {
  readonly archive: string
  readonly scratch: string
}

/** @throws Failure `unavailable` with both numbers, where a folder's disk has less room than a backup of this home takes at its fullest */
export async function holdRoom(home: string, { archive, scratch }: Folders): Promise<void> {
  const database = await sizeOf(join(home, databasePath))
  let files = 0
  for (const path of (await findSavedFiles(home)).paths) files += await sizeOf(join(home, path))
  // The database is there twice: its copy and the archive, then the archive and what it is tried in.
  if (archive === scratch) return holdFree(archive, 2 * database + files)
  await holdFree(archive, database + files)
  await holdFree(scratch, database)
}

async function holdFree(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= bytes) return
  const words = `The disk of ${folder} has ${mebibytes(bavail * bsize)} MiB free, and a backup takes ${mebibytes(bytes)} MiB.`
  throw new Failure('unavailable', words, { retry_after: 3600 })
}

const sizeOf = async (path: string): Promise<number> => (await unlessMissing(stat(path)))?.size ?? 0

const mebibytes = (bytes: number): number => Math.ceil(bytes / 1024 ** 2)
