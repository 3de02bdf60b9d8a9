// Writes the archive of a backup: each file with its hash, then the manifest. Files may change while they are copied. A file is
// either in the archive with exactly the bytes that its header and hash describe, or it is not in the archive.

import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Failure } from '../base/failure.ts'
import { tarEnd, tarHeader, tarPadding, type TarTraits } from '../base/tar-header.ts'
import { type ArchiveSink, openSink, type WrittenArchive } from './archive-sink.ts'
import { readParts } from './file-parts.ts'
import { type BackupManifest, manifestName } from './manifest.ts'
import { unreadable } from './saved-files.ts'
import type { Sealing } from './sealed-header.ts'

const ownOnly = (modifiedAt: number): TarTraits => ({ modifiedAt, mode: 0o600 })

/** The number of attempts to copy a file. A program that overwrites a file may empty it first, so that the copy is too short. */
const attempts = 3

/** Begins an archive at a path without a file. The archive is sealed if `sealing` is given. */
export async function openArchive(path: string, signal: AbortSignal | undefined, sealing?: Sealing): Promise<OpenArchive> {
  return new OpenArchive(await openSink(path, sealing), signal)
}

export class OpenArchive {
  /** The files that are in the archive so far. */
  readonly files: BackupManifest['files'] = []
  readonly #sink: ArchiveSink
  readonly #signal: AbortSignal | undefined

  constructor(sink: ArchiveSink, signal: AbortSignal | undefined) {
    this.#sink = sink
    this.#signal = signal
  }

  /**
   * Adds a file.
   * @returns false if the file no longer exists, or is no longer a plain file
   * @throws Failure `unavailable` if the file can't be read, or gets shorter during every attempt
   */
  async add(from: string, path: string): Promise<boolean> {
    const source = await openPlain(from)
    if (!source) return false
    try {
      for (let attempt = 1; attempt <= attempts; attempt++) if (await this.#addOnce(source, path)) return true
    } finally {
      await source.close()
    }
    throw new Failure('unavailable', `${from} got shorter during each attempt to save it.`, { retry_after: 60 })
  }

  /** Adds the manifest and flushes the archive to disk. @param now UTC milliseconds */
  async finish(manifest: BackupManifest, now: number): Promise<WrittenArchive> {
    const text = Buffer.from(JSON.stringify(manifest))
    await this.#write(Buffer.concat([tarHeader(manifestName, text.length, ownOnly(now)), text, tarPadding(text.length), tarEnd]))
    return this.#sink.finish()
  }

  close(): Promise<void> {
    return this.#sink.close()
  }

  /** @returns false if the file got shorter while it was copied. Then the archive does not contain it */
  async #addOnce(source: FileHandle, path: string): Promise<boolean> {
    const rollBack = this.#sink.mark()
    const { size, mtimeMs } = await source.stat()
    await this.#write(tarHeader(path, size, ownOnly(mtimeMs)))
    const hash = createHash('sha256')
    let bytes = 0
    for await (const part of readParts(source, 0, size)) {
      hash.update(part)
      await this.#write(part)
      bytes += part.length
    }
    if (bytes < size) {
      rollBack()
      return false
    }
    await this.#write(tarPadding(size))
    this.files.push({ path, bytes, sha256: hash.digest('hex') })
    return true
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#signal?.throwIfAborted()
    await this.#sink.write(bytes)
  }
}

/** Opens a plain file. Undefined if the file no longer exists, or if a link, a pipe or a folder has replaced it. */
async function openPlain(path: string): Promise<FileHandle | undefined> {
  let file: FileHandle
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(String((error as { code?: unknown }).code))) return undefined
    throw unreadable(path, error)
  }
  if ((await file.stat()).isFile()) return file
  await file.close()
  return undefined
}
