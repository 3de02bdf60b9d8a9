// Files that were uploaded to be imported, below the home: a folder for each, which is deleted after a week. It has the file itself
// under its own name, or a link to it, because readers look at names.

import { createWriteStream } from 'node:fs'
import { mkdir, readdir, readlink, rename, rm, stat, symlink, utimes } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { unlessMissing } from '../base/missing.ts'
import { moveIncoming } from '../media/incoming.ts'
import { explained } from '../media/media-store.ts'
import { newId } from '../store/core/ids.ts'

const keptMs = 7 * 86_400_000
/** The largest file that is taken through a door. */
export const maxStagedBytes = 1024 ** 3
const idForm = /^[0-9a-hjkmnp-tv-z]{26}$/

const folderOf = (home: string): string => join(home, 'data', 'imports')
const sourceOf = (home: string, id: string): string => join(folderOf(home), id, 'source')

/** The paths of a staged file. */
export interface StagedImport {
  readonly id: string
  /** The file itself, or a link to it. */
  readonly path: string
  /** A folder for what must be unpacked. */
  readonly staging: string
  /** A link to a folder with pictures and files of the old site, if somebody gave one. */
  readonly media: string
}

const pathsOf = (home: string, id: string, name: string): StagedImport => ({
  id,
  path: join(sourceOf(home, id), name),
  staging: join(folderOf(home), id, 'unpacked'),
  media: join(folderOf(home), id, 'media'),
})

/** Makes the place for a file, and deletes files of more than a week ago. @param given its name, as a sender may have written it */
export async function makeStaged(home: string, given: string, now: number, id: string = newId(now)): Promise<StagedImport> {
  await sweepStaged(home, now)
  const name = basename(given.replaceAll('\\', '/').toWellFormed())
    .replace(/\p{Cc}/gu, '')
    .slice(-100)
  const paths = pathsOf(home, id, /^\.*$/.test(name) ? 'file' : name)
  await mkdir(sourceOf(home, id), { recursive: true, mode: 0o700 })
  await mkdir(paths.staging, { recursive: true, mode: 0o700 })
  return paths
}

/**
 * Stores a stream as a staged file. It gets its name when it is whole, so that a half one is never found: if the stream fails,
 * nothing is left, and what a crash leaves is replaced by the next try and deleted with the others.
 * @param id the id by which calls will name it
 * @throws any error of the stream; Failure `unavailable` if the disk is full
 */
export async function keepStaged(
  home: string,
  stream: AsyncIterable<Uint8Array>,
  { id, filename, now }: { readonly id: string; readonly filename: string; readonly now: number },
): Promise<{ readonly bytes: number }> {
  const staged = await makeStaged(home, filename, now, id)
  let bytes = 0
  const measured = async function* (): AsyncIterable<Uint8Array> {
    for await (const part of stream) {
      bytes += part.byteLength
      yield part
    }
  }
  try {
    const draft = join(folderOf(home), id, 'incoming')
    await explained(folderOf(home), () => pipeline(measured, createWriteStream(draft, { mode: 0o600 })))
    await rename(draft, staged.path)
  } catch (error) {
    await dropStaged(home, id)
    throw error
  }
  return { bytes }
}

/** Moves a file that a form has brought to where imports are kept, under the same id. */
export async function keepUploaded(
  home: string,
  { id, filename }: { readonly id: string; readonly filename: string },
  now: number,
): Promise<void> {
  const staged = await makeStaged(home, filename, now, id)
  await moveIncoming(home, id, staged.path)
}

/** Deletes a staged file. */
export async function dropStaged(home: string, id: string): Promise<void> {
  if (idForm.test(id)) await rm(join(folderOf(home), id), { recursive: true, force: true })
}

/**
 * Stages a file or folder of this machine without copying it. Only somebody at the shell may do so. The same file has the same
 * place.
 * @param media a folder with pictures and files of the old site
 */
export async function stageLocal(home: string, path: string, now: number, media?: string): Promise<StagedImport> {
  const known = await findLocal(home, path)
  const staged = known ?? (await makeStaged(home, path, now))
  if (!known) await symlink(path, staged.path)
  // It is kept for a week after its last use.
  await utimes(join(folderOf(home), staged.id), now / 1000, now / 1000)
  await rm(staged.media, { force: true })
  if (media !== undefined) await symlink(media, staged.media)
  return staged
}

async function findLocal(home: string, path: string): Promise<StagedImport | undefined> {
  for (const id of (await unlessMissing(readdir(folderOf(home)))) ?? []) {
    const staged = await findStaged(home, id)
    if (staged && (await readlink(staged.path).catch(() => undefined)) === path) return staged
  }
  return undefined
}

/** Finds a staged file; undefined if it never was, was deleted, or leads to a file that is gone. */
export async function findStaged(home: string, given: string): Promise<StagedImport | undefined> {
  const id = given === 'latest' ? await latestIn(home) : given
  if (!idForm.test(id)) return undefined
  const [name] = (await unlessMissing(readdir(sourceOf(home, id)))) ?? []
  const paths = name === undefined ? undefined : pathsOf(home, id, name)
  if (!paths || !(await unlessMissing(stat(paths.path)))) return undefined
  await mkdir(paths.staging, { recursive: true, mode: 0o700 })
  return paths
}

/** The id of the newest staged file; ids follow the time. Files that are on their way have no name yet. */
async function latestIn(home: string): Promise<string> {
  const ids = ((await unlessMissing(readdir(folderOf(home)))) ?? []).filter((name) => idForm.test(name))
  for (const id of ids.sort().reverse()) if (((await unlessMissing(readdir(sourceOf(home, id)))) ?? []).length > 0) return id
  return ''
}

/** Deletes files that were staged more than a week ago. */
export async function sweepStaged(home: string, now: number): Promise<void> {
  for (const id of (await unlessMissing(readdir(folderOf(home)))) ?? []) {
    const found = await unlessMissing(stat(join(folderOf(home), id)))
    if (found && now - found.mtimeMs > keptMs) await rm(join(folderOf(home), id), { recursive: true, force: true })
  }
}
