// Checks that there is room for a backup before any byte is written. If a backup filled the disk, the site could no longer write
// either.

import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../base/failure.ts'
import { unlessMissing } from '../base/missing.ts'
import type { DatabasePlace } from '../store/core/database.ts'
import { findSavedFiles } from './saved-files.ts'

/** The folders in which a backup needs room: `archive` for the archive, `scratch` for the copy of the database and for the test. */
interface Folders {
  readonly archive: string
  readonly scratch: string
}

async function measured({ postgres }: Extract<DatabasePlace, { postgres: unknown }>): Promise<number> {
  const { measureCopy } = await import('../store/core/site-copy.ts')
  return measureCopy(postgres)
}

/**
 * Checks the free space. @throws Failure `unavailable`, with the free and the required space, if a disk has less room than the
 * backup needs at its peak
 */
export async function checkRoom(home: string, place: DatabasePlace, { archive, scratch }: Folders): Promise<void> {
  const database = 'path' in place ? await sizeOf(place.path) : await measured(place)
  let files = 0
  for (const path of (await findSavedFiles(home)).paths) files += await sizeOf(join(home, path))
  // The database needs its size twice: first for its copy and the archive, then for the archive and the test.
  if (archive === scratch) return checkFree(archive, 2 * database + files)
  await checkFree(archive, database + files)
  await checkFree(scratch, database)
}

/** @throws Failure `unavailable` if the disk of a folder has less room than these bytes */
export async function checkFree(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= bytes) return
  const words = `The disk of ${folder} has ${mebibytes(bavail * bsize)} MiB free, and a backup takes ${mebibytes(bytes)} MiB.`
  throw new Failure('unavailable', words, { retry_after: 3600 })
}

const sizeOf = async (path: string): Promise<number> => (await unlessMissing(stat(path)))?.size ?? 0

const mebibytes = (bytes: number): number => Math.ceil(bytes / 1024 ** 2)
