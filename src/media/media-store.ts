// The bytes of media files on disk. Originals are stored below `uploads/protected/.media/`, which no web server serves, under the
// hash of their content. A public file is linked into `user-content/media/`, from which a reverse proxy serves it.

import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { syncToDisk } from '../base/durable.ts'
import { Failure } from '../base/failure.ts'
import { unlessMissing } from '../base/missing.ts'
import { explainUnwritable } from '../base/unwritable.ts'

const fileForm = /^[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{64}\.[a-z0-9]{1,8}$/
/** A key at the start of the name of a public file: `pictureKey` and `plainKey`. */
const keyForm = /^[0-9a-f]{16}-(?:[0-9a-f]{16}|0)(?=-)/
const publicForm = /^[0-9a-f]{16}-[0-9a-z-]{1,40}\.[a-z0-9]{2,5}$/

/** The name of a stored file: `ab/cd/HASH.jpg`. */
export const storedName = (sha256: string, extension: string): string =>
  `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}.${extension}`

/** True if a text can be the name of a public file: `HASH-RECIPE-640.webp`. */
export const isPublicName = (name: string): boolean => publicForm.test(name)

/** A file that a walk through the store found. */
export interface PlacedFile {
  /** The name of a stored file, or a key. */
  readonly name: string
  /** The time at which it was stored. */
  readonly placedAt: number
}

export interface MediaStore {
  /** The path of a stored file. @throws RangeError for an invalid name */
  pathOf(file: string): string
  has(file: string): Promise<boolean>
  /**
   * Moves a file into the store. The file is synced to disk when the promise settles.
   * @returns true if it is new, because the store has each content once
   * @throws Failure `unavailable` if the disk is full or can't be written
   */
  put(from: string, file: string): Promise<boolean>
  remove(file: string): Promise<void>
  /** The path of a variant or another public file in the private part of the store. */
  madePathOf(name: string): string
  /** Moves a derived file into the store, crash-safe. @throws Failure as `put` */
  putMade(from: string, name: string): Promise<void>
  /** Removes everything that was derived from the files with this key. */
  removeMade(key: string): Promise<void>
  /** Makes a file public under a name. @param from its path in the store */
  publish(from: string, name: string): Promise<void>
  /** Removes all files with this key from the public folder. */
  unpublish(key: string): Promise<void>
  listFiles(): Promise<readonly PlacedFile[]>
  /** The keys of all derived and published files, each with its newest file. */
  listKeys(): Promise<readonly PlacedFile[]>
  /** A new path for writing a file, on the same disk as the store. */
  draft(): Promise<string>
  /** Removes a draft and the files next to it whose names begin with its name. */
  removeDraft(draft: string): Promise<void>
  /** The bytes from `start` to `end`, both included. */
  read(path: string, start: number, end: number): AsyncIterable<Uint8Array>
}

/** Opens the store of a home. Its folders are created when needed. */
export function openMediaStore(home: string): MediaStore {
  const root = join(home, 'user-content', 'uploads', 'protected', '.media')
  const made = join(root, 'made')
  const shown = join(home, 'user-content', 'media')
  const pathOf = (file: string): string => {
    if (!fileForm.test(file)) throw new RangeError(`No media file is named ${JSON.stringify(file)}.`)
    return join(root, file)
  }
  const place = (folder: string, name: string): string => {
    if (!isPublicName(name)) throw new RangeError(`No public file is named ${JSON.stringify(name)}.`)
    return join(folder, name.slice(0, 2), name)
  }
  const moveIn = (from: string, to: string) => explained(root, () => move(from, to))
  return {
    pathOf,
    has: async (file) => (await unlessMissing(stat(pathOf(file)))) !== undefined,
    async put(from, file) {
      const to = pathOf(file)
      const present = await explained(root, async () => (await unlessMissing(stat(to))) !== undefined)
      // The content is the same, but a crash may have left an incomplete file.
      await moveIn(from, to)
      return !present
    },
    remove: (file) => rm(pathOf(file), { force: true }),
    madePathOf: (name) => place(made, name),
    putMade: (from, name) => moveIn(from, place(made, name)),
    removeMade: (key) => removeByKey(made, key),
    async publish(from, name) {
      const to = place(shown, name)
      if (await unlessMissing(stat(to))) return
      await mkdir(dirname(to), { recursive: true, mode: 0o755 })
      const draft = `${to}.${randomBytes(6).toString('hex')}.tmp`
      try {
        await link(from, draft).catch(() => copyFile(from, draft))
        await rename(draft, to)
      } finally {
        await rm(draft, { force: true })
      }
    },
    unpublish: (key) => removeByKey(shown, key),
    async listFiles() {
      const found = await listBelow(root, 2)
      return found.flatMap(({ path, placedAt }) => {
        const name = relative(root, path)
        return fileForm.test(name) ? [{ name, placedAt }] : []
      })
    },
    async listKeys() {
      const newest = new Map<string, number>()
      for (const { path, placedAt } of [...(await listBelow(made, 1)), ...(await listBelow(shown, 1))]) {
        const key = keyForm.exec(basename(path))?.[0]
        if (key !== undefined) newest.set(key, Math.max(placedAt, newest.get(key) ?? 0))
      }
      return [...newest].map(([name, placedAt]) => ({ name, placedAt }))
    },
    async draft() {
      const folder = join(root, '.staging')
      await explained(root, () => mkdir(folder, { recursive: true, mode: 0o755 }))
      return join(folder, randomBytes(12).toString('hex'))
    },
    async removeDraft(draft) {
      const folder = dirname(draft)
      for (const name of (await unlessMissing(readdir(folder))) ?? [])
        if (name.startsWith(basename(draft))) await rm(join(folder, name), { force: true })
    },
    read: (path, start, end) => createReadStream(path, { start, end }),
  }
}

/** The files in the folders that are `depth` levels below a folder. The time is that of the last rename, link or change. */
async function listBelow(
  folder: string,
  depth: number,
): Promise<readonly { readonly path: string; readonly placedAt: number }[]> {
  const found: { path: string; placedAt: number }[] = []
  for (const one of (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? []) {
    const path = join(folder, one.name)
    if (depth > 0 && one.isDirectory() && /^[0-9a-f]{2}$/.test(one.name)) found.push(...(await listBelow(path, depth - 1)))
    if (depth > 0 || !one.isFile()) continue
    const stats = await unlessMissing(stat(path))
    if (stats) found.push({ path, placedAt: stats.ctimeMs })
  }
  return found
}

async function removeByKey(folder: string, key: string): Promise<void> {
  const shard = join(folder, key.slice(0, 2))
  for (const name of (await unlessMissing(readdir(shard))) ?? [])
    if (name.startsWith(`${key}-`)) await rm(join(shard, name), { force: true })
}

async function move(from: string, to: string): Promise<void> {
  const folder = dirname(to)
  await mkdir(folder, { recursive: true, mode: 0o755 })
  const file = await open(from, 'r')
  try {
    // The reverse proxy, which serves the public link to the same bytes, must be able to read the file.
    await file.chmod(0o644)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(from, to).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'EXDEV') throw error
    return copyOver(from, to)
  })
  await syncToDisk(folder)
}

/** Copies a file. `user-content/` may be on another disk than `data/`, where uploads arrive. */
async function copyOver(from: string, to: string): Promise<void> {
  const draft = `${to}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await copyFile(from, draft)
    await syncToDisk(draft)
    await rename(draft, to)
    await rm(from, { force: true })
  } finally {
    await rm(draft, { force: true })
  }
}

/** Runs work on the disk, and explains its errors in a Failure. */
export async function explained<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure || typeof (error as { syscall?: unknown }).syscall !== 'string') throw error
    throw await diskFailure(folder, error)
  }
}

/** The failure of a file that could not be written. */
export async function diskFailure(folder: string, error: unknown): Promise<Failure> {
  const { reason, fix } = await explainUnwritable(error, [folder])
  const full = fix === 'make room on the disk'
  const message = full
    ? 'The disk of the site is full, so the file was not stored. Nothing of it is left.'
    : `The file could not be stored: ${folder} ${reason}.`
  return new Failure('unavailable', message, { retry_after: 60, ...(fix && { hint: fix }) }, { cause: error })
}
