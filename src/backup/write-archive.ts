// Makes the file of a backup: database, keys, files, and last the manifest, each hashed on its way. It appears under its name whole and on
// disk, or not at all. Where it lies, what it is called and who may make one at a time is `backups.ts`'s.

import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncToDisk } from '../durable.ts'
import { copyDatabase, readDatabaseFacts } from './copy-database.ts'
import { databasePath, type Manifest, manifestName } from './manifest.ts'
import { giveTo, type Owner } from './owner.ts'
import { findSavedFiles } from './saved-files.ts'
import { tarEnd, tarHeader, tarPadding } from './tar-format.ts'

/** What is to be saved, and as what. */
export interface ArchiveOrder {
  readonly home: string
  /** Where the file is to be. */
  readonly to: string
  /** A path on the same file system, which no other run uses: what is not finished is called so, with an ending. */
  readonly draft: string
  readonly id: string
  readonly version: string
  readonly note: string | null
  /** UTC milliseconds. */
  readonly now: number
  /** Whose it is to be. */
  readonly owner?: Owner | undefined
  readonly signal?: AbortSignal | undefined
}

/** A backup as it was made. */
export interface Archive {
  readonly manifest: Manifest
  readonly bytes: number
  /** Of the whole file, in hex. */
  readonly sha256: string
  /** Links and the like, which are not in it. */
  readonly passedOver: readonly string[]
}

const chunkBytes = 256 * 1024

/** Makes a backup of a home, served or not. What is written meanwhile is in it whole or not at all. */
export async function writeArchive(order: ArchiveOrder): Promise<Archive> {
  const { home, to, draft, now, id, version, note, owner, signal } = order
  const copy = `${draft}.db`
  const file = `${draft}.tar`
  const drop = async () => {
    for (const path of [copy, `${copy}-journal`, file]) await rm(path, { force: true })
  }
  // What a killed run left.
  await drop()
  try {
    signal?.throwIfAborted()
    await copyDatabase(join(home, databasePath), copy)
    const facts = await readDatabaseFacts(copy)
    const { paths, passedOver } = await findSavedFiles(home)
    const writer = await openWriter(file, now, signal)
    try {
      await writer.add(copy, databasePath)
      for (const path of paths) await writer.add(join(home, path), path)
      const at = new Date(now).toISOString()
      const manifest: Manifest = { format: 1, id, version, ...facts, created_at: at, note, files: [...writer.files] }
      const { bytes, sha256 } = await writer.finish(manifest)
      await giveTo(file, owner)
      await rename(file, to)
      await syncToDisk(dirname(to))
      return { manifest, bytes, sha256, passedOver }
    } finally {
      await writer.close()
    }
  } finally {
    await drop()
  }
}

interface Writer {
  readonly files: readonly Manifest['files'][number][]
  /** Adds a file; one that is gone by now is passed over. */
  add(from: string, path: string): Promise<void>
  /** Adds the manifest and has it all on disk. */
  finish(manifest: Manifest): Promise<{ bytes: number; sha256: string }>
  close(): Promise<void>
}

async function openWriter(path: string, now: number, signal: AbortSignal | undefined): Promise<Writer> {
  const file = await open(path, 'wx', 0o600)
  const whole = createHash('sha256')
  const files: Manifest['files'] = []
  let written = 0

  const write = async (bytes: Uint8Array) => {
    whole.update(bytes)
    await writeAll(file, bytes)
    written += bytes.length
  }
  const addBytes = async (name: string, bytes: number, parts: AsyncIterable<Uint8Array>) => {
    const hash = createHash('sha256')
    await write(tarHeader(name, bytes, now))
    for await (const part of parts) {
      signal?.throwIfAborted()
      hash.update(part)
      await write(part)
    }
    await write(tarPadding(bytes))
    files.push({ path: name, bytes, sha256: hash.digest('hex') })
  }

  return {
    files,
    async add(from, name) {
      const source = await openPlain(from)
      if (!source) return
      try {
        const { size } = await source.stat()
        await addBytes(name, size, partsOf(source, size, name))
      } finally {
        await source.close()
      }
    },
    async finish(manifest) {
      const text = Buffer.from(JSON.stringify(manifest))
      await write(Buffer.concat([tarHeader(manifestName, text.length, now), text, tarPadding(text.length), tarEnd]))
      await file.sync()
      return { bytes: written, sha256: whole.digest('hex') }
    },
    close: () => file.close(),
  }
}

/** A link that was put in a file's place meanwhile isn't followed. */
async function openPlain(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === 'ENOENT' || code === 'ELOOP') return undefined
    throw error
  }
}

/** As many bytes as were told in its header, however the file grows meanwhile. */
async function* partsOf(file: FileHandle, size: number, name: string): AsyncIterable<Uint8Array> {
  for (let at = 0; at < size;) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(Math.min(chunkBytes, size - at)), 0, undefined, at)
    if (bytesRead === 0) throw new Error(`${name} was cut short while it was saved.`)
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten
}
