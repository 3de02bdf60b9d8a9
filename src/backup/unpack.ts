// Reads a backup: what it says of itself, each file's hash against that, and its files into a new folder. An archive is a stranger's until it
// has passed: nothing is written outside the folder, and nothing that the manifest doesn't name.

import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncToDisk } from '../durable.ts'
import { Failure } from '../failure.ts'
import { type ArchiveSource, openSource } from './archive-source.ts'
import { databasePath, type BackupManifest, manifestName, mayHold, readManifestText } from './manifest.ts'
import { readParts } from './file-parts.ts'
import { makeFolder } from './owner.ts'
import { readTarEntries, type TarEntry } from './tar-format.ts'

const maxManifestBytes = 64 * 1024 ** 2

/** A backup whose files are as its manifest names them. */
interface Opened {
  readonly manifest: BackupManifest
  readonly entries: readonly TarEntry[]
}

/**
 * What a backup says of itself; its files aren't looked at.
 * @throws Failure `not_found`, `unprocessable`; `refused` for a sealed one without its passphrase
 */
export async function readManifest(path: string, passphrase?: string): Promise<BackupManifest> {
  const file = await openSource(path, passphrase)
  try {
    return (await readContents(file)).manifest
  } finally {
    await file.close()
  }
}

export interface UnpackOptions {
  /** What to leave unwritten; it is hashed all the same. */
  readonly leaveOut?: (path: string) => boolean
  /** Whether it is all on disk at the end; a try needs it not, and would make writers wait for the disk. */
  readonly durable?: boolean
  /** Of a sealed one. */
  readonly passphrase?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Unpacks a backup into a folder that is there and empty; folders 755 and files 644, in `data/` 700 and 600.
 * @returns its manifest
 * @throws Failure `not_found`; `unprocessable` for one that is damaged, cut off or hostile; `refused` for a missing or another passphrase
 */
export async function unpack(path: string, into: string, options: UnpackOptions = {}): Promise<BackupManifest> {
  const { leaveOut, durable = false } = options
  const file = await openSource(path, options.passphrase)
  const folders = new Set<string>([into])
  try {
    const { manifest, entries } = await readContents(file)
    for (const [at, entry] of entries.entries()) {
      const target = leaveOut?.(entry.path) ? undefined : join(into, entry.path)
      if (target !== undefined) await makeParents(into, entry.path, folders)
      const hash = await copyOut(file, entry, target, options)
      if (hash === manifest.files[at]?.sha256) continue
      throw new Failure('unprocessable', `${entry.path} in this backup is not as it was saved: the backup is damaged.`)
    }
    if (durable) for (const folder of folders) await syncToDisk(folder)
    return manifest
  } finally {
    await file.close()
  }
}

async function readContents(file: ArchiveSource): Promise<Opened> {
  const entries = await readTarEntries(file, file.bytes)
  const last = entries.at(-1)
  if (last?.path !== manifestName || last.bytes > maxManifestBytes)
    throw new Failure('unprocessable', `This is no backup of Postern: its last file must be ${manifestName}.`)
  const memory = Buffer.alloc(last.bytes)
  await file.read(memory, 0, last.bytes, last.offset)
  const manifest = readManifestText(memory.toString('utf8'))
  const files = entries.slice(0, -1)
  checkContents(files, manifest)
  return { manifest, entries: files }
}

/** The archive's own list against the manifest's, path by path. */
function checkContents(entries: readonly TarEntry[], { files }: BackupManifest): void {
  const bad = entries.find(({ path }) => !mayHold(path))
  if (bad)
    throw new Failure('unprocessable', `${JSON.stringify(bad.path)} has no place in a backup of Postern: nothing was unpacked.`)
  const clash = findClash(entries)
  if (clash !== undefined)
    throw new Failure(
      'unprocessable',
      `${JSON.stringify(clash)} is a file in this backup and a folder as well: nothing was unpacked.`,
    )
  const same =
    entries.length === files.length &&
    entries.every(({ path, bytes }, at) => path === files[at]?.path && bytes === files[at].bytes) &&
    new Set(entries.map(({ path }) => path)).size === entries.length &&
    entries.some(({ path }) => path === databasePath)
  if (!same) throw new Failure('unprocessable', 'The files of this backup are not those of its manifest: the backup is damaged.')
}

/** A path at which there is a file, and below which there is another. */
function findClash(entries: readonly TarEntry[]): string | undefined {
  const files = new Set(entries.map(({ path }) => path))
  for (const { path } of entries)
    for (let folder = dirname(path); folder !== '.' && folder !== '/'; folder = dirname(folder))
      if (files.has(folder)) return folder
  return undefined
}

async function makeParents(into: string, path: string, made: Set<string>): Promise<void> {
  const parents: string[] = []
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) parents.unshift(folder)
  for (const folder of parents) {
    const target = join(into, folder)
    if (!made.has(target)) await makeFolder(target, folder === 'data' ? 0o700 : 0o755)
    made.add(target)
  }
}

/** Copies one file out, or only hashes it. @returns its SHA-256 in hex */
async function copyOut(
  from: ArchiveSource,
  { path, bytes, offset, modifiedAt }: TarEntry,
  to: string | undefined,
  { durable, signal }: UnpackOptions,
): Promise<string> {
  const hash = createHash('sha256')
  const file = to === undefined ? undefined : await open(to, 'wx', 0o600)
  let done = 0
  try {
    for await (const part of readParts(from, offset, bytes)) {
      signal?.throwIfAborted()
      hash.update(part)
      await file?.writeFile(part)
      done += part.length
    }
    if (done < bytes) throw new Failure('unprocessable', 'This archive is cut off: it ends before its last file does.')
    await file?.chmod(path.startsWith('data/') ? 0o600 : 0o644)
    await file?.utimes(modifiedAt / 1000, modifiedAt / 1000)
    if (durable) await file?.sync()
  } finally {
    await file?.close()
  }
  return hash.digest('hex')
}
