// The folder of backups: the names of its files, and its lock. Across all processes, one run at a time makes, tests or prunes
// backups. Unfinished files have separate names, and the next run deletes those that a killed run left.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../base/failure.ts'
import { lockFile } from '../store/core/file-lock.ts'
import { giveTo, makeFolder, type Owner } from './owner.ts'

/** The form of a file name: `postern-20261121T031700Z-7m2qk4.tar`, with `.sealed` appended if the backup is sealed. */
const nameForm = /^postern-\d{8}T\d{6}Z-([0-9a-z]{6})\.tar(?:\.sealed)?$/

/** A backup's file name. It contains the time of the backup, in UTC, and the end of its id. */
export function fileNameOf(id: string, now: number, sealed: boolean): string {
  const at = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return `postern-${at}-${id.slice(-6)}.tar${sealed ? '.sealed' : ''}`
}

export const isBackupName = (name: string): boolean => nameForm.test(name)

/** True if the file of this name is sealed. */
export const isSealedName = (name: string): boolean => name.endsWith('.sealed')

/** True if a backup with this id can have this file name. */
export const isNameOf = (name: string, id: string): boolean => nameForm.exec(name)?.[1] === id.slice(-6)

/** The paths for an unfinished backup, and for the folder in which one is tested. */
export const draftIn = (folder: string): string => join(folder, '.making')
export const scratchIn = (folder: string): string => join(folder, '.scratch')

/**
 * Calls `run` while it has the lock on the folder, and deletes the scratch folder afterwards. A missing folder is created.
 * @throws Failure `unavailable` if another run has the lock, the folder can't be written, or the disk is full
 */
export async function inTurn<T>(folder: string, owner: Owner | undefined, run: () => Promise<T>): Promise<T> {
  const scratch = scratchIn(folder)
  try {
    await makeFolder(folder, 0o700, owner).catch((cause: NodeJS.ErrnoException) => {
      // Node reports ENOENT on a file system that can't be written, so the code alone doesn't explain the error.
      throw new Failure('unavailable', `The folder of backups ${folder} can't be made (${cause.code}): ${mustBe}.`, {}, { cause })
    })
    const lock = await lockFile(join(folder, '.lock'), 'exclusive')
    if (!lock)
      throw new Failure('unavailable', 'Another backup is being made or tried: ask again when that has ended.', {
        retry_after: 30,
      })
    try {
      await giveTo(join(folder, '.lock'), owner)
      await rm(scratch, { recursive: true, force: true })
      return await run()
    } finally {
      await rm(scratch, { recursive: true, force: true })
      await lock.release()
    }
  } catch (error) {
    throw toFailure(error, folder)
  }
}

const mustBe = 'it must belong to the user who runs Postern, and under systemd stand in ReadWritePaths='

const troubles: Readonly<Record<string, (folder: string) => string>> = {
  ENOSPC: (folder) => `The disk of the site, or of ${folder}, is full: there must be room for twice the database, and the files.`,
  EDQUOT: (folder) => `The disk quota for the site, or for ${folder}, is used up.`,
  EACCES: (folder) => `The folder of backups ${folder} can't be written: ${mustBe}.`,
  EROFS: (folder) => `The folder of backups ${folder} is on a file system that can't be written: ${mustBe}.`,
  ABORT_ERR: () => 'This took too long, or its caller left: nothing was made. On the server `postern backup` has no such limit.',
}

function toFailure(error: unknown, folder: string): unknown {
  const code = error instanceof Error && error.name === 'AbortError' ? 'ABORT_ERR' : String((error as { code?: unknown }).code)
  const sentence = error instanceof Failure ? undefined : troubles[code]
  return sentence ? new Failure('unavailable', sentence(folder), { retry_after: 60 }, { cause: error }) : error
}
