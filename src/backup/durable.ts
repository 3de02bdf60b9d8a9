// Files that are there after a power cut: written, synced, and their names too. And whose they are.

import { chmod, lchown, mkdir, open, readdir, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Who a file belongs to. */
export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Has a file's bytes, or the names in a folder, on disk. */
export async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Writes a small file so that it is there whole or not at all. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const draft = `${path}.draft`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
  await syncToDisk(dirname(path))
}

/** Makes a folder with exactly this mode, where there is none. */
export async function makeFolder(path: string, mode: number, owner?: Owner): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode })
  if (made === undefined) return
  await chmod(path, mode)
  await giveTo(path, owner)
}

/** Whose a folder is; undefined where the process couldn't give anything away, or has no need to. */
export async function ownerOf(path: string): Promise<Owner | undefined> {
  if (process.geteuid?.() !== 0) return undefined
  const { uid, gid } = await stat(path)
  return uid === 0 ? undefined : { uid, gid }
}

/** What root makes in another's home is that one's. */
export async function giveTo(path: string, owner: Owner | undefined): Promise<void> {
  if (owner) await lchown(path, owner.uid, owner.gid)
}

/** The same for a folder and all that is in it. */
export async function giveAllTo(path: string, owner: Owner | undefined): Promise<void> {
  if (!owner) return
  await giveTo(path, owner)
  for (const name of await readdir(path, { recursive: true })) await giveTo(join(path, name), owner)
}

/** What `read` gives, or undefined where there is no such file. */
export async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined
    throw error
  }
}
