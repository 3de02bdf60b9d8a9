// What the files of one run share: made by whichever needs it first, below a folder that the runner names and takes away.

import { existsSync, rmSync } from 'node:fs'
import { mkdtemp, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made = new Map<string, Promise<string>>()

/**
 * The folder of this name, which nobody changes once it is made. A file that runs without the runner has its own.
 * @param make fills an empty folder, which may be moved then
 */
export function sharedFolder(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = made.get(name) ?? makeOnce(name, make)
  made.set(name, folder)
  return folder
}

async function makeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const shared = process.env['TEST_OUTDIR']
  const place = shared === undefined ? undefined : join(shared, name)
  if (place !== undefined && existsSync(place)) return place
  const folder = await mkdtemp(`${place ?? join(tmpdir(), `postern-${name}`)}-`)
  if (place === undefined) process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await make(folder)
  if (place === undefined) return folder
  // Of two files that make it at once, one puts it in place and both use that one.
  await rename(folder, place).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
  return place
}
