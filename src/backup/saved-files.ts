// Finds the files of a home that a backup contains in addition to the database: the site's key, and the files below the saved
// folders. Links are left out, because the site follows no links. Unfinished files and the probe files of health checks are left
// out, too.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../base/failure.ts'
import { probePrefix } from '../identity/home.ts'
import { unlessMissing } from '../base/missing.ts'
import { keyPath, type LeftOut, mayHold, savedFolders } from './manifest.ts'

/** Returns the files to save, and the files to leave out, each with the reason. Paths are relative to the home. */
export async function findSavedFiles(
  home: string,
): Promise<{ readonly paths: readonly string[]; readonly leftOut: readonly LeftOut[] }> {
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

/** True if the manifest can contain a path. Node replaces invalid UTF-8 in a name by U+FFFD, and the changed name opens no file. */
const isWritable = (path: string): boolean => mayHold(path) && !path.includes('\ufffd')

/** The failure of a file that can't be read. Such a file can't be left out, because a restored site would then lack it. */
export function unreadable(path: string, cause: unknown): Failure {
  const { code } = cause as { code?: unknown }
  const words = `${path} can't be read (${String(code)}), so nothing is saved: it must belong to the user who runs Postern.`
  return new Failure('unavailable', words, { retry_after: 60 }, { cause })
}
