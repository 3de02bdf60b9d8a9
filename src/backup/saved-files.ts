// The files of a home that a backup holds beside the database: keys, and what lies below the saved folders. Links are passed over, as the site
// follows none; so is what others are still writing, or put there only to see whether it is served.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { probePrefix } from '../identity/home.ts'
import { unlessMissing } from '../missing.ts'
import { keyForm, mayHold, savedFolders } from './manifest.ts'

/** What is saved, and what was passed over because it is no plain file. Paths are below the home. */
export interface SavedFiles {
  readonly paths: readonly string[]
  readonly passedOver: readonly string[]
}

/** Finds them, in one order whatever the file system's is. */
export async function findSavedFiles(home: string): Promise<SavedFiles> {
  const paths = (await readdir(join(home, 'data'))).map((name) => `data/${name}`).filter((path) => keyForm.test(path))
  const passedOver: string[] = []
  for (const folder of savedFolders) await walk(home, folder, paths, passedOver)
  return { paths: paths.sort(), passedOver: passedOver.sort() }
}

async function walk(home: string, folder: string, paths: string[], passedOver: string[]): Promise<void> {
  const entries = await unlessMissing(readdir(join(home, folder), { withFileTypes: true }))
  for (const entry of entries ?? []) {
    const path = `${folder}/${entry.name}`
    if (entry.name.startsWith('.staging') || entry.name.startsWith(probePrefix)) continue
    if (entry.isDirectory()) await walk(home, path, paths, passedOver)
    else if (entry.isFile() && mayHold(path)) paths.push(path)
    else passedOver.push(path)
  }
}
