// Writes the file of a backup: each file with its hash, the manifest last. Files may change while they are copied: a file is either in the backup
// exactly as its header says, or not at all.

import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Failure } from '../failure.ts'
import { type ArchiveSink, openSink, type WrittenArchive } from './archive-sink.ts'
import { readParts } from './file-parts.ts'
import { type BackupManifest, manifestName } from './manifest.ts'
import { unreadable } from './saved-files.ts'
import type { Sealing } from './sealed-header.ts'
import { tarEnd, tarHeader, tarPadding } from './tar-format.ts'

/** A file that is being written anew has just been emptied. */
const attempts = 3

/** Begins an archive where there is nothing yet; sealed where there is something to seal it with. */
export async function openArchive(path: string, signal: AbortSignal | undefined, sealing?: Sealing): Promise<OpenArchive> {
  return new OpenArchive(await openSink(path, sealing), signal)
}

export class OpenArchive {
  /** What is in it so far. */
  readonly files: BackupManifest['files'] = []
  readonly #sink: ArchiveSink
  readonly #signal: AbortSignal | undefined

  constructor(sink: ArchiveSink, signal: AbortSignal | undefined) {
    this.#sink = sink
    this.#signal = signal
  }

  /**
   * Adds a file.
   * @returns false for one that is gone by now, or is no plain file any more
   * @throws Failure `unavailable` for one that can't be read, or doesn't stand still
   */
  async add(from: string, path: string): Promise<boolean> {
    const source = await openPlain(from)
    if (!source) return false
    try {
      for (let attempt = 1; attempt <= attempts; attempt++) if (await this.#addOnce(source, path)) return true
    } finally {
      await source.close()
    }
    throw new Failure('unavailable', `${from} grows shorter while it is saved, again and again.`, { retry_after: 60 })
  }

  /** Adds the manifest and has it all on disk. @param now UTC milliseconds */
  async finish(manifest: BackupManifest, now: number): Promise<WrittenArchive> {
    const text = Buffer.from(JSON.stringify(manifest))
    await this.#write(Buffer.concat([tarHeader(manifestName, text.length, now), text, tarPadding(text.length), tarEnd]))
    return this.#sink.finish()
  }

  close(): Promise<void> {
    return this.#sink.close()
  }

  /** @returns false where it was cut short meanwhile, and is not in it */
  async #addOnce(source: FileHandle, path: string): Promise<boolean> {
    const takeBack = this.#sink.mark()
    const { size, mtimeMs } = await source.stat()
    await this.#write(tarHeader(path, size, mtimeMs))
    const hash = createHash('sha256')
    let bytes = 0
    for await (const part of readParts(source, 0, size)) {
      hash.update(part)
      await this.#write(part)
      bytes += part.length
    }
    if (bytes < size) {
      takeBack()
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

/** A link, a pipe or a folder that was put in a file's place meanwhile is none. */
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
