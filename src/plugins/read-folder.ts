// A package from a folder: one that its author works in, or an installed one that is looked at again. Follows no link and opens
// nothing but files.

import { constants, lstat, open, readdir, stat } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { type PackageEntry, packageFault } from './package-files.ts'
import { checkPackageLimit } from './package-limits.ts'
import { createPathList, faultOfPath } from './package-path.ts'

/** Not through a link that took the file's place, and without waiting for a pipe's other end. */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * The files of a folder and of all below it, looked through whole before any is read.
 * @throws Failure `unprocessable` with the file at fault (ATTACKS 109); `not_found` when there is no such folder; `unavailable` while
 *   nothing can be read
 */
export async function readFolder(folder: string, signal: AbortSignal): Promise<readonly PackageEntry[]> {
  if (!(await readable(folder, () => stat(folder))).isDirectory())
    throw new Failure('unprocessable', `${folder} is no folder: name the one that plugin.json lies in.`)
  const paths = createPathList()
  const entries: PackageEntry[] = []
  const waiting = ['']
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    const names = await readable(folder, () => readdir(join(folder, below)))
    for (const name of names.sort()) {
      signal.throwIfAborted()
      const path = below === '' ? name : `${below}/${name}`
      const place = join(folder, path)
      const bad = faultOfPath(path)
      if (bad !== undefined) throw packageFault(path, bad)
      const kind = kindOf(path, await readable(place, () => lstat(place)))
      const twin = paths.add(path, kind)
      if (twin !== undefined) throw packageFault(path, twin)
      checkPackageLimit('entries', paths.size)
      if (kind === 'folder') waiting.push(path)
      else entries.push({ path, read: () => readFile(place, path) })
    }
  }
  return entries
}

function kindOf(path: string, found: Stats): 'file' | 'folder' {
  if (found.isDirectory()) return 'folder'
  if (!found.isFile()) throw packageFault(path, 'is a link or a device')
  if ((found.mode & 0o6000) !== 0) throw packageFault(path, 'is setuid or setgid')
  return 'file'
}

async function* readFile(place: string, path: string): AsyncIterable<Uint8Array> {
  const file = await readable(place, () => open(place, openFlags))
  try {
    if (!(await file.stat()).isFile()) throw packageFault(path, 'is a link or a device')
    for await (const chunk of file.createReadStream({ autoClose: false })) yield chunk as Buffer
  } finally {
    await file.close()
  }
}

/** What says nothing about a file: the machine has too much to do. */
const passing: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])

/** Says what could not be read; what can't be read is no package. */
async function readable<T>(place: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const code = String((error as { code?: unknown }).code)
    if (code === 'ENOENT') throw new Failure('not_found', `There is no ${place}.`, { id: place }, { cause: error })
    if (passing.has(code))
      throw new Failure('unavailable', `${place} can not be read now (${code}).`, { retry_after: 5 }, { cause: error })
    throw new Failure('unprocessable', `${place} can not be read (${code}).`, {}, { cause: error })
  }
}
