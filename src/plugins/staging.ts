// Where a package is unpacked before it is anything: a folder beside the plugins, which becomes one by a single rename or is removed.
// What goes into it was held against the rules before; here are modes, owners, and what a disk can refuse.

import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncToDisk } from '../durable.ts'
import { Failure } from '../failure.ts'
import { isMissing, unlessMissing } from '../missing.ts'
import { explainUnwritable } from '../unwritable.ts'

/** A folder that nobody relies on yet. */
export interface Staging {
  readonly path: string
  /** Writes one file, with the folders above it. */
  write(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void>
  /** Gives everything its mode and owner, and waits until the disk has it. */
  settle(): Promise<void>
  /** Gives the folder its name; what had that name before is removed. */
  moveTo(folder: string): Promise<void>
  discard(): Promise<void>
}

const prefix = '.staging-'
const leftAfterMs = 3_600_000
const folderMode = 0o755
const fileMode = 0o644
/** So many files are brought to disk at once: the journal takes them together. */
const atOnce = 16

/** @throws Failure `unavailable` with the path, whose it is, and what to do */
export async function makeStaging(pluginsFolder: string): Promise<Staging> {
  const path = join(pluginsFolder, `${prefix}${randomBytes(8).toString('hex')}`)
  try {
    await mkdir(path, { mode: folderMode })
  } catch (error) {
    throw await refusal(`The plugin's staging directory could not be created: ${path}`, pluginsFolder, error)
  }
  const told = <T>(work: Promise<T>): Promise<T> =>
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
    // From the inside out: a folder on disk names only what is there.
    for (const folder of [...folders].reverse()) await settleOne(folder, folderMode, owner)
  }

  return {
    path,
    write: (file, chunks) => told(write(file, chunks)),
    settle: () => told(settle()),
    moveTo: (folder) => told(move(path, folder, pluginsFolder)),
    discard: () => rm(path, { recursive: true, force: true }),
  }
}

/**
 * Takes a plugin's folder out of its place in one step, so that another of its id may be put there.
 * @returns what is to be removed
 */
export async function setAside(pluginsFolder: string, folder: string): Promise<string> {
  const aside = join(pluginsFolder, `${prefix}${randomBytes(8).toString('hex')}`)
  await unlessMissing(rename(join(pluginsFolder, folder), aside))
  return aside
}

/** Removes what a crash left: staging directories older than an hour. */
export async function sweepStaging(pluginsFolder: string): Promise<void> {
  for (const name of await readdir(pluginsFolder)) {
    if (!name.startsWith(prefix)) continue
    const path = join(pluginsFolder, name)
    // Another process may be sweeping too.
    const found = await unlessMissing(stat(path))
    if (found && Date.now() - found.mtimeMs > leftAfterMs) await rm(path, { recursive: true, force: true })
  }
}

async function settleOne(path: string, mode: number, owner: Owner | undefined): Promise<void> {
  const handle = await open(path, 'r')
  try {
    if (owner) await handle.chown(owner.uid, owner.gid)
    // After the owner, and without regard to the umask.
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

/** What root unpacks belongs to whoever the plugins belong to: the service must be able to remove it. */
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

/** Whether it is the file system that said no, and not what was read meanwhile. */
const isDiskError = (error: unknown): boolean =>
  error instanceof Error && typeof (error as { syscall?: unknown }).syscall === 'string'
