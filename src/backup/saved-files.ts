// The files of a home that a backup holds beside the database: the site's key, and what lies below the saved folders. Links are passed over, as the site
// follows none; so is what others are still writing, or put there only to see whether it is served.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { probePrefix } from '../identity/home.ts'
import { unlessMissing } from '../missing.ts'
import { keyPath, type LeftOut, mayHold, savedFolders } from './manifest.ts'

/** What is saved, and what is not, with the reason. Paths are below the home. */
export interface SavedFiles {
  readonly paths: readonly string[]
  readonly leftOut: readonly LeftOut[]
}

/** Finds them, in one order whatever the file system's is. */
export async function findSavedFiles(home: string): Promise<SavedFiles> {
  const paths = (await readdir(join(home, 'data'))).map((name) => `data/${name}`).filter((path) => path === keyPath)
  const leftOut: LeftOut[] = []
  for (const folder of savedFolders) await walk(home, folder, paths, leftOut)
  return { paths: paths.sort(), leftOut: leftOut.sort((a, b) => (a.path < b.path ? -1 : 1)) }
}

async function walk(home: string, folder: string, paths: string[], leftOut: LeftOut[]): Promise<void> {
  const entries = await unlessMissing(readdir(join(home, folder), { withFileTypes: true })).catch((error: unknown) => {
    throw unreadable(join(home, folder), error)
  })
  for (const entry of entries ?? []) {
    const path = `${folder}/${entry.name}`
    if (entry.name.startsWith('.staging') || entry.name.startsWith(probePrefix)) continue
    if (entry.isDirectory()) await walk(home, path, paths, leftOut)
    else if (!entry.isFile()) leftOut.push({ path, why: 'no plain file' })
    else if (!isWritable(path)) leftOut.push({ path, why: 'its name can not be written down' })
    else paths.push(path)
  }
}

/** A name that is no UTF-8 was read with something else in it, and finds no file. */
const isWritable = (path: string): boolean => mayHold(path) && !path.includes('\ufffd')

/** What can't be read is no reason to leave it out: whoever restored it later would be without it. */
export function unreadable(path: string, cause: unknown): Failure {
  const { code } = cause as { code?: unknown }
  const words = `${path} can't be read (${String(code)}), so nothing is saved: it must belong to the user who runs Postern.`
  return new Failure('unavailable', words, { retry_after: 60 }, { cause })
}
