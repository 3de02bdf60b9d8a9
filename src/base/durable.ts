// Writes files that survive a power cut: bytes and names are on disk.

import { randomBytes } from 'node:crypto'
import { copyFile, open, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Syncs the bytes of a file, or the names in a folder, to disk. */
export async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

export interface FileWriting {
  /** The mode of the file, independent of the umask. */
  readonly mode: number
  /**
   * The name of the file in the same folder until it is complete. Use a fixed name only if one process writes; the default is a
   * new name for each call.
   */
  readonly draft?: string
}

const draftOf = (path: string): string => join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)

/** Copies a file to a path, which has the whole copy or what was there before. @throws the error of the file system */
export async function copyWhole(from: string, path: string): Promise<void> {
  const unfinished = draftOf(path)
  try {
    await copyFile(from, unfinished)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/**
 * Replaces a file atomically. Readers find the old bytes or the new ones, even after a kill.
 * @throws the error of the file system; no partial file is left
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  { mode, draft }: FileWriting,
): Promise<void> {
  const unfinished = draft ?? draftOf(path)
  try {
    // A killed process may have left a file of this name.
    await rm(unfinished, { force: true })
    await writeDraft(unfinished, content, mode)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  await syncToDisk(dirname(path))
}

async function writeDraft(path: string, content: string | Uint8Array | AsyncIterable<Uint8Array>, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode)
  try {
    await writeFile(file, content)
    await file.chmod(mode)
    await file.sync()
  } finally {
    await file.close()
  }
}
