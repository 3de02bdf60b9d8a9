// Files that were uploaded to be imported, below the home: a folder for each, which is deleted after a week.

import { mkdir, readdir, readlink, rm, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from '../base/missing.ts'
import { newId } from '../store/core/ids.ts'

const keptMs = 7 * 86_400_000
const idForm = /^[0-9a-hjkmnp-tv-z]{26}$/

const folderOf = (home: string): string => join(home, 'data', 'imports')

/** The paths of a staged file. */
export interface StagedImport {
  readonly id: string
  /** The file itself, or a link to it. */
  readonly path: string
  /** A folder for what must be unpacked. */
  readonly staging: string
}

const pathsOf = (home: string, id: string): StagedImport => ({
  id,
  path: join(folderOf(home), id, 'file'),
  staging: join(folderOf(home), id, 'unpacked'),
})

/** Makes the place for a file, and deletes files of more than a week ago. */
export async function makeStaged(home: string, now: number, id: string = newId(now)): Promise<StagedImport> {
  await sweepStaged(home, now)
  const paths = pathsOf(home, id)
  await mkdir(paths.staging, { recursive: true, mode: 0o700 })
  return paths
}

/** Stages a file or folder of this machine without copying it. Only somebody at the shell may do so. */
export async function stageLocal(home: string, path: string, now: number): Promise<StagedImport> {
  for (const id of (await unlessMissing(readdir(folderOf(home)))) ?? [])
    if (idForm.test(id) && (await unlessMissing(readlink(pathsOf(home, id).path).catch(() => undefined))) === path)
      return pathsOf(home, id)
  const staged = await makeStaged(home, now)
  await symlink(path, staged.path)
  return staged
}

/** Finds a staged file; undefined if it never was, or was deleted. */
export async function findStaged(home: string, id: string): Promise<StagedImport | undefined> {
  if (!idForm.test(id)) return undefined
  const paths = pathsOf(home, id)
  if (!(await unlessMissing(stat(paths.path)))) return undefined
  await mkdir(paths.staging, { recursive: true, mode: 0o700 })
  return paths
}

/** Deletes files that were staged more than a week ago. */
export async function sweepStaged(home: string, now: number): Promise<void> {
  for (const id of (await unlessMissing(readdir(folderOf(home)))) ?? []) {
    const found = await unlessMissing(stat(join(folderOf(home), id)))
    if (found && now - found.mtimeMs > keptMs) await rm(join(folderOf(home), id), { recursive: true, force: true })
  }
}
