// The owner of a home's files. Files that root creates in the home of another user are given to that user.

import { chmod, lchown, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Who a file belongs to. */
export interface Owner {
  readonly uid: number
  readonly gid: number
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
