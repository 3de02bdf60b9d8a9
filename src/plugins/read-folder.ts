// Reads a package from its author's folder, or that of an installed plugin. It follows no links and opens only files.

import { constants, lstat, open, readdir, stat } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../base/failure.ts'
import { type PackageEntry, packageFault } from './package-files.ts'
import { checkPackageLimit } from './package-limits.ts'
import { createPathList, faultOfPath } from './package-path.ts'

/** If the file was replaced by a link, opening it fails. If it was replaced by a pipe, opening it doesn't wait. */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Lists the files of a folder and its subfolders. All paths are checked before any file is read.
 * @throws Failure `unprocessable` with the invalid file (attack 109); `not_found` if there is no such folder; `unavailable` if the
 * machine
 * can't open files at the moment
 */
export async function readFolder(folder: string, signal: AbortSignal): Promise<readonly PackageEntry[]> {
  if (!(await readable(folder, () => stat(folder))).isDirectory())
    throw new Failure('unprocessable', `${folder} is no folder: name the one that contains plugin.json.`)
  const paths = createPathList()
  const entries: PackageEntry[] = []
  const waiting = ['']
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    const names = await readable(folder, () => readdir(join(folder, below)))
    for (const name of names.sort()) {
      signal.throwIfAborted()
      const path = below === '' ? name : `${below}/${name}`
      const place = join(folder, path)
      const fault = faultOfPath(path)
      if (fault !== undefined) throw packageFault(path, fault)
      const kind = kindOf(path, await readable(place, () => lstat(place)))
      const duplicate = paths.add(path, kind)
      if (duplicate !== undefined) throw packageFault(path, duplicate)
      checkPackageLimit('entries', paths.size)
      if (kind === 'folder') waiting.push(path)
      else entries.push({ path, read: () => readFile(place, path) })
    }
  }
  return entries
}

function kindOf(path: string, stats: Stats): 'file' | 'folder' {
  if (stats.isDirectory()) return 'folder'
  if (!stats.isFile()) throw packageFault(path, 'is a link or a device')
  if ((stats.mode & 0o6000) !== 0) throw packageFault(path, 'is setuid or setgid')
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

/** Errors whose cause is a busy machine, and not the file. */
const temporary: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])

/** Runs a read, and turns its error into a Failure that names the path. */
async function readable<T>(place: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const code = String((error as { code?: unknown }).code)
    if (code === 'ENOENT') throw new Failure('not_found', `There is no ${place}.`, { id: place }, { cause: error })
    if (temporary.has(code))
      throw new Failure('unavailable', `${place} can not be read now (${code}).`, { retry_after: 5 }, { cause: error })
    throw new Failure('unprocessable', `${place} can not be read (${code}).`, {}, { cause: error })
  }
}
