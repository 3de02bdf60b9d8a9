// Files that are there after a power cut: their bytes on disk, and their names too.

import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Has a file's bytes, or the names in a folder, on disk. */
export async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** How a file is to be written. */
export interface FileWriting {
  /** Its mode, whatever the umask says. */
  readonly mode: number
  /** What the file is called until it is whole, in the same folder: one name where only one process writes; else each run takes its own. */
  readonly draft?: string
}

/**
 * Puts a small file in the place of the one before: readers find the old bytes or the new ones, never half of them, also after a kill.
 * @throws what the file system says; nothing half done is left
 */
export async function replaceFile(path: string, content: string | Uint8Array, { mode, draft }: FileWriting): Promise<void> {
  const unfinished = draft ?? join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    // What a killed run left under that name.
    await rm(unfinished, { force: true })
    await writeDraft(unfinished, content, mode)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  await syncToDisk(dirname(path))
}

async function writeDraft(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode)
  try {
    await file.writeFile(content)
    await file.chmod(mode)
    await file.sync()
  } finally {
    await file.close()
  }
}
