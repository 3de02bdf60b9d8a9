// Reads a backup: its manifest, and its files, which are compared with the hashes in the manifest and written to a new folder. An
// archive is untrusted: nothing is written outside the folder, and no file is written that the manifest doesn't name.

import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncToDisk } from '../base/durable.ts'
import { Failure } from '../base/failure.ts'
import { type ArchiveSource, openSource } from './archive-source.ts'
import { databasePath, type BackupManifest, manifestName, mayHold, readManifestText } from './manifest.ts'
import { readParts } from './file-parts.ts'
import { makeFolder } from './owner.ts'
import { readTarEntries, type TarEntry } from './tar-format.ts'

const maxManifestBytes = 64 * 1024 ** 2

/**
 * Reads the manifest of a backup, without checking the contents of its files.
 * @throws Failure `not_found`; `unprocessable`; `refused` for a sealed backup if the passphrase is missing or wrong
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
  /** Returns true for files to check without writing them. */
  readonly leaveOut?: (path: string) => boolean
  /** True to flush all files to disk. A test doesn't need this, and flushing would delay the site's own writes. */
  readonly durable?: boolean
  /** Opens a sealed backup. */
  readonly passphrase?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Unpacks a backup into an existing empty folder. Folders get mode 755 and files 644; `data/` gets 700 and its files 600.
 * @returns the manifest
 * @throws Failure `not_found`; `unprocessable` for a backup that is damaged, cut off or hostile; `refused` for a missing or wrong
 * passphrase
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

/** Reads the manifest of a backup, and the files in the archive, which are the same as in the manifest. */
async function readContents(
  file: ArchiveSource,
): Promise<{ readonly manifest: BackupManifest; readonly entries: readonly TarEntry[] }> {
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

/** Checks that the paths in the archive are allowed, and that archive and manifest list the same files. */
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

/** Finds a path that is a file and also the folder of another file. */
function findClash(entries: readonly TarEntry[]): string | undefined {
  const files = new Set(entries.map(({ path }) => path))
  for (const { path } of entries)
    for (let folder = dirname(path); folder !== '.' && folder !== '/'; folder = dirname(folder))
      if (files.has(folder)) return folder
  return undefined
}

async function makeParents(into: string, path: string, folders: Set<string>): Promise<void> {
  const parents: string[] = []
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) parents.unshift(folder)
  for (const folder of parents) {
    const target = join(into, folder)
    if (!folders.has(target)) await makeFolder(target, folder === 'data' ? 0o700 : 0o755)
    folders.add(target)
  }
}

/** Copies one file to `to`, or only hashes it if `to` is undefined. @returns its SHA-256 in hex */
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
