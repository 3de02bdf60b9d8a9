// Writes the bytes of a backup to a file, sealed or not. When a file changes while it is copied, the bytes already written for it
// can be removed.

import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { chunkBytes, sealChunk } from './sealed-chunk.ts'
import type { Sealing } from './sealed-header.ts'

/** Bytes between two flushes to disk. Flushing the whole backup at once would delay the site's own writes. */
const syncBytes = 32 * 1024 ** 2

/** The size and hash of a finished file. */
export interface WrittenArchive {
  readonly bytes: number
  /** The hash of the whole file, in hex. */
  readonly sha256: string
}

export interface ArchiveSink {
  write(bytes: Uint8Array): Promise<void>
  /** Marks this position. The returned function removes everything written since. */
  mark(): () => void
  /** Ends the file and flushes it to disk. */
  finish(): Promise<WrittenArchive>
  close(): Promise<void>
}

/** Creates the file, which must not exist yet. The file is sealed if `sealing` is given. */
export async function openSink(path: string, sealing: Sealing | undefined): Promise<ArchiveSink> {
  const file = new FileSink(await open(path, 'wx', 0o600))
  if (!sealing) return file
  await file.write(sealing.header)
  return new SealedSink(file, sealing.key)
}

class FileSink implements ArchiveSink {
  readonly #file: FileHandle
  #whole = createHash('sha256')
  #written = 0
  #synced = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#whole.update(bytes)
    for (let at = 0; at < bytes.length;)
      at += (await this.#file.write(bytes, at, bytes.length - at, this.#written + at)).bytesWritten
    this.#written += bytes.length
    if (this.#written - this.#synced < syncBytes) return
    await this.#file.datasync()
    this.#synced = this.#written
  }

  mark(): () => void {
    const [whole, written] = [this.#whole.copy(), this.#written]
    return () => {
      this.#whole = whole.copy()
      this.#written = written
    }
  }

  async finish(): Promise<WrittenArchive> {
    await this.#file.truncate(this.#written)
    await this.#file.sync()
    return { bytes: this.#written, sha256: this.#whole.digest('hex') }
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

/**
 * A sink that seals. It holds back the newest chunk until more bytes arrive or the file ends, because the last chunk must be
 * marked as the last.
 */
class SealedSink implements ArchiveSink {
  readonly #file: ArchiveSink
  readonly #key: Buffer
  readonly #chunk = Buffer.alloc(chunkBytes)
  #filled = 0
  #at = 0

  constructor(file: ArchiveSink, key: Buffer) {
    this.#file = file
    this.#key = key
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      if (this.#filled === chunkBytes) await this.#flush(false)
      const part = bytes.subarray(done, done + chunkBytes - this.#filled)
      this.#chunk.set(part, this.#filled)
      this.#filled += part.length
      done += part.length
    }
  }

  mark(): () => void {
    const rollBack = this.#file.mark()
    const [chunk, at] = [Buffer.from(this.#chunk.subarray(0, this.#filled)), this.#at]
    return () => {
      rollBack()
      this.#chunk.set(chunk)
      this.#filled = chunk.length
      this.#at = at
    }
  }

  async finish(): Promise<WrittenArchive> {
    await this.#flush(true)
    return this.#file.finish()
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  async #flush(last: boolean): Promise<void> {
    await this.#file.write(sealChunk(this.#key, this.#chunk.subarray(0, this.#filled), { at: this.#at, last }))
    this.#at++
    this.#filled = 0
  }
}
