// The staging directory into which a package is unpacked. It is next to the plugins, and is either renamed to a plugin's folder in
// one step or removed. The caller has checked its files. This file sets modes and owners, and explains errors of the file system.

import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncToDisk } from '../base/durable.ts'
import { Failure } from '../base/failure.ts'
import { isMissing, unlessMissing } from '../base/missing.ts'
import { explainUnwritable } from '../base/unwritable.ts'

export interface Staging {
  readonly path: string
  /** Writes one file, with the folders above it. */
  write(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void>
  /** Sets modes and owners, and syncs everything to disk. */
  settle(): Promise<void>
  /** Renames the staging directory. A folder that had this name before is removed. */
  moveTo(folder: string): Promise<void>
  discard(): Promise<void>
}

const prefix = '.staging-'
const leftAfterMs = 3_600_000
const folderMode = 0o755
const fileMode = 0o644
/** The number of files that are synced at the same time. The file system's journal commits them together. */
const atOnce = 16

/** @throws Failure `unavailable` with the path, its owner, and a remedy */
export async function makeStaging(pluginsFolder: string): Promise<Staging> {
  const path = join(pluginsFolder, `${prefix}${randomBytes(8).toString('hex')}`)
  try {
    await mkdir(path, { mode: folderMode })
  } catch (error) {
    throw await refusal(`The plugin's staging directory could not be created: ${path}`, pluginsFolder, error)
  }
  const explained = <T>(work: Promise<T>): Promise<T> =>
    work.catch(async (error: unknown) => {
      if (!isDiskError(error)) throw error
      throw await refusal(`The plugin could not be unpacked into its staging directory ${path}`, pluginsFolder, error)
    })
  const folders = new Set([path])
  const files: string[] = []

  async function write(file: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const place = join(path, file)
    const missing: string[] = []
    for (let above = dirname(place); !folders.has(above); above = dirname(above)) missing.unshift(above)
    for (const folder of missing) {
      await mkdir(folder, { mode: folderMode })
      folders.add(folder)
    }
    const handle = await open(place, 'wx', fileMode)
    try {
      await writeFile(handle, chunks)
    } finally {
      await handle.close()
    }
    files.push(place)
  }

  async function settle(): Promise<void> {
    const owner = await ownerFor(pluginsFolder)
    for (let done = 0; done < files.length; done += atOnce)
      await Promise.all(files.slice(done, done + atOnce).map((file) => settleOne(file, fileMode, owner)))
    // Inner folders come first, so that a folder on disk never names a file that isn't there yet.
    for (const folder of [...folders].reverse()) await settleOne(folder, folderMode, owner)
  }

  return {
    path,
    write: (file, chunks) => explained(write(file, chunks)),
    settle: () => explained(settle()),
    moveTo: (folder) => explained(move(path, folder, pluginsFolder)),
    discard: () => rm(path, { recursive: true, force: true }),
  }
}

/**
 * Renames a plugin's folder in one step, so that another plugin with the same id can be installed.
 * @returns the new path, which the caller removes
 */
export async function setAside(pluginsFolder: string, folder: string): Promise<string> {
  const aside = join(pluginsFolder, `${prefix}${randomBytes(8).toString('hex')}`)
  await unlessMissing(rename(join(pluginsFolder, folder), aside))
  return aside
}

/** Removes staging directories that a crash left behind. They are at least an hour old. */
export async function sweepStaging(pluginsFolder: string): Promise<void> {
  for (const name of await readdir(pluginsFolder)) {
    if (!name.startsWith(prefix)) continue
    const path = join(pluginsFolder, name)
    // Another process may be sweeping too.
    const stats = await unlessMissing(stat(path))
    if (stats && Date.now() - stats.mtimeMs > leftAfterMs) await rm(path, { recursive: true, force: true })
  }
}

async function settleOne(path: string, mode: number, owner: Owner | undefined): Promise<void> {
  const handle = await open(path, 'r')
  try {
    if (owner) await handle.chown(owner.uid, owner.gid)
    // `chown` can clear mode bits, so this comes after it. Unlike `open`, `chmod` ignores the umask.
    await handle.chmod(mode)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

interface Owner {
  readonly uid: number
  readonly gid: number
}

/** If root unpacks the package, its files get the owner of the plugins folder, so that the service can remove them. */
async function ownerFor(folder: string): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = await stat(folder)
  return { uid, gid }
}

async function move(from: string, to: string, pluginsFolder: string): Promise<void> {
  const above = dirname(to)
  const made = await mkdir(above, { recursive: true, mode: folderMode })
  if (made !== undefined) await settleOne(above, folderMode, await ownerFor(pluginsFolder))
  const old = join(pluginsFolder, `${prefix}${randomBytes(8).toString('hex')}`)
  await unlessMissing(rename(to, old))
  await rename(from, to)
  for (const folder of [above, pluginsFolder]) await syncToDisk(folder)
  await rm(old, { recursive: true, force: true })
}

async function refusal(sentence: string, pluginsFolder: string, error: unknown): Promise<Failure> {
  const { reason, owner, user, fix: other } = await explainUnwritable(error, [pluginsFolder])
  const repair = isMissing(error)
    ? `sudo install -d -o ${user} -m 755 ${pluginsFolder}`
    : `sudo chown -R ${user} ${dirname(pluginsFolder)}`
  const fix = other ?? repair
  return new Failure(
    'unavailable',
    `${sentence}: ${pluginsFolder} ${reason}${owner}. Try: ${fix}.`,
    { hint: fix },
    { cause: error },
  )
}

/** True if an error comes from the file system, and not from the package that was being read. */
const isDiskError = (error: unknown): boolean =>
  error instanceof Error && typeof (error as { syscall?: unknown }).syscall === 'string'
