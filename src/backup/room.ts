// Whether there is room for a backup, asked before anything is written: one that fills the disk would take the site's writes with it.

import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { unlessMissing } from '../missing.ts'
import { databasePath } from './manifest.ts'
import { findSavedFiles } from './saved-files.ts'

/** @throws Failure `unavailable` with both numbers, where the folder's disk has less room than a backup of this home takes at its fullest */
export async function holdRoom(home: string, folder: string): Promise<void> {
  // The database is there twice: its copy and the archive, then the archive and what it is tried in.
  let bytes = 2 * (await sizeOf(join(home, databasePath)))
  for (const path of (await findSavedFiles(home)).paths) bytes += await sizeOf(join(home, path))
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= bytes) return
  const words = `The disk of ${folder} has ${mebibytes(bavail * bsize)} MiB free, and a backup takes ${mebibytes(bytes)} MiB.`
  throw new Failure('unavailable', words, { retry_after: 3600 })
}

const sizeOf = async (path: string): Promise<number> => (await unlessMissing(stat(path)))?.size ?? 0

const mebibytes = (bytes: number): number => Math.ceil(bytes / 1024 ** 2)
