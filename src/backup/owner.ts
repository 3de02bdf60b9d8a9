// The owner of a home's files. If root creates files in the home of another user, that user becomes their owner.

import { chmod, lchown, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The user and group that a file belongs to. */
export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Creates a folder with exactly this mode, unless it exists. */
export async function makeFolder(path: string, mode: number, owner?: Owner): Promise<void> {
  const firstCreated = await mkdir(path, { recursive: true, mode })
  if (firstCreated === undefined) return
  await chmod(path, mode)
  await giveTo(path, owner)
}

/**
 * The owner of a folder. Undefined if no file needs a new owner: the process isn't root and can't change owners, or the folder is
 * root's.
 */
export async function ownerOf(path: string): Promise<Owner | undefined> {
  if (process.geteuid?.() !== 0) return undefined
  const { uid, gid } = await stat(path)
  return uid === 0 ? undefined : { uid, gid }
}

/** Gives a file or a folder, without its contents, to this owner. */
export async function giveTo(path: string, owner: Owner | undefined): Promise<void> {
  if (owner) await lchown(path, owner.uid, owner.gid)
}

/** Gives a folder and everything in it to this owner. */
export async function giveAllTo(path: string, owner: Owner | undefined): Promise<void> {
  if (!owner) return
  await giveTo(path, owner)
  for (const name of await readdir(path, { recursive: true })) await giveTo(join(path, name), owner)
}
