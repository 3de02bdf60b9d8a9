// Reads a backup, sealed or not, at any position. At most one chunk is in memory. Each chunk of a sealed backup is authenticated
// for its position before any of its bytes are returned.

import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Failure } from '../base/failure.ts'
import type { Positioned } from './file-parts.ts'
import { chunkBytes, openChunk, overheadBytes } from './sealed-chunk.ts'
import { aboutPassphrase, damaged, headerBytes, isSealed, openSealing } from './sealed-header.ts'

/** The tar archive in a backup. Positions are the same in sealed and unsealed backups. */
export interface ArchiveSource extends Positioned {
  readonly bytes: number
  close(): Promise<void>
}

/**
 * Opens a backup.
 * @param passphrase used only if the backup is sealed
 * @throws Failure `not_found`, `unavailable`; `refused` for a missing or wrong passphrase; `unprocessable` for a damaged backup
 */
export async function openSource(path: string, passphrase: string | undefined): Promise<ArchiveSource> {
  const file = await openBackup(path)
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new Failure('unprocessable', 'This is no backup of Postern, but a folder or a device.')
    const header = await readStart(file)
    if (!isSealed(header)) return new PlainSource(file, stat.size)
    if (passphrase === undefined) throw aboutPassphrase('This backup is sealed. Give the passphrase that sealed it.')
    const { key } = await openSealing(header, passphrase)
    const source = new SealedSource(file, key, stat.size)
    await source.checkEnd()
    return source
  } catch (error) {
    await file.close()
    throw error
  }
}

/** True if the file of a backup is sealed. @throws Failure `not_found`, `unavailable` */
export async function isSealedFile(path: string): Promise<boolean> {
  const file = await openBackup(path)
  try {
    return isSealed(await readStart(file))
  } finally {
    await file.close()
  }
}

async function readStart(file: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0).catch(() => ({
    // A folder can be opened, but not read.
    buffer: Buffer.alloc(0),
    bytesRead: 0,
  }))
  return buffer.subarray(0, bytesRead)
}

async function openBackup(path: string): Promise<FileHandle> {
  try {
    // Opening a pipe without a writer would block forever.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (cause) {
    const { code } = cause as { code?: unknown }
    if (code === 'ENOENT') throw new Failure('not_found', `There is no backup ${path}.`, { id: path })
    throw new Failure('unavailable', `The backup ${path} can't be read (${String(code)}).`, {}, { cause })
  }
}

class PlainSource implements ArchiveSource {
  readonly bytes: number
  readonly #file: FileHandle

  constructor(file: FileHandle, bytes: number) {
    this.#file = file
    this.bytes = bytes
  }

  read(memory: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }> {
    return this.#file.read(memory, offset, length, position)
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

const fullBytes = chunkBytes + overheadBytes

class SealedSource implements ArchiveSource {
  readonly bytes: number
  readonly #file: FileHandle
  readonly #key: Buffer
  readonly #chunks: number
  readonly #sealedBytes: number
  /** The chunk that was opened last. */
  #current: { readonly at: number; readonly bytes: Buffer } | undefined

  constructor(file: FileHandle, key: Buffer, size: number) {
    this.#file = file
    this.#key = key
    this.#sealedBytes = size - headerBytes
    this.#chunks = Math.ceil(this.#sealedBytes / fullBytes)
    this.bytes = this.#sealedBytes - this.#chunks * overheadBytes
  }

  /**
   * Checks that the file ends with the chunk that was sealed as the last one. A shortened file is therefore refused before any of
   * it is read.
   */
  async checkEnd(): Promise<void> {
    const lastBytes = this.#sealedBytes - (this.#chunks - 1) * fullBytes
    if (this.#chunks < 1 || lastBytes <= overheadBytes) throw damaged('it is cut off')
    if (!(await this.#open(this.#chunks - 1)))
      throw damaged('its end is not the one that was sealed, so it is cut off or was changed')
  }

  async read(memory: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }> {
    let done = 0
    while (done < length && position + done < this.bytes) {
      const at = Math.floor((position + done) / chunkBytes)
      if (this.#current?.at !== at) this.#current = { at, bytes: await this.#chunk(at) }
      const part = this.#current.bytes.subarray(position + done - at * chunkBytes).subarray(0, length - done)
      memory.set(part, offset + done)
      done += part.length
    }
    return { bytesRead: done }
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  async #chunk(at: number): Promise<Buffer> {
    const bytes = await this.#open(at)
    if (bytes) return bytes
    throw damaged(`chunk ${at + 1} of ${this.#chunks} is not the one that was sealed there`)
  }

  async #open(at: number): Promise<Buffer | undefined> {
    const last = at === this.#chunks - 1
    const bytes = last ? this.#sealedBytes - at * fullBytes : fullBytes
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(bytes), 0, bytes, headerBytes + at * fullBytes)
    return bytesRead === bytes ? openChunk(this.#key, buffer, { at, last }) : undefined
  }
}
