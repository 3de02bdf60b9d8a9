// Streams an export as a tar, which `tar` can unpack from a pipe. A tar tells the size of a file before its bytes, so a content of
// unknown length is written to a temporary file first.

import { createReadStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytesOf, inBlocks } from '../base/bytes-of.ts'
import { tarEnd, tarHeader, tarPadding, type TarTraits } from '../base/tar-header.ts'
import { createNames, type ExportFile, type ExportFiles } from './export-file.ts'

/** A constant date, so that the same files make the same bytes. */
const traits: TarTraits = { modifiedAt: Date.UTC(2000, 0, 1, 12), mode: 0o644 }

/** Yields the bytes of a tar with these files. One file at a time is read, as fast as the tar is. */
export const tarBytes = (files: ExportFiles, signal?: AbortSignal): AsyncGenerator<Uint8Array> => inBlocks(parts(files, signal))

async function* parts(files: ExportFiles, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const gathered = await openUnnamed()
  try {
    const nameOf = createNames()
    for await (const { path, content } of files) {
      const { size, read } = await sized(content, gathered, signal)
      const name = nameOf(path)
      yield tarHeader(name, size, traits)
      let written = 0
      for await (const part of read()) {
        written += part.byteLength
        yield part
      }
      if (written !== size) throw new Error(`${name} changed its size while it was exported.`)
      yield tarPadding(size)
    }
    yield tarEnd
  } finally {
    await gathered.close()
  }
}

/** Opens an empty file without a name, so that nothing is left of it after the process was killed. */
async function openUnnamed(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-export-'))
  try {
    return await open(join(folder, 'gathered'), 'ax+', 0o600)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Sized {
  readonly size: number
  /** Opens the bytes. Until then no file is open. */
  read(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

/** @param gathered takes a content of unknown length */
async function sized(content: ExportFile['content'], gathered: FileHandle, signal: AbortSignal | undefined): Promise<Sized> {
  if ('text' in content) return whole(Buffer.from(content.text))
  if ('bytes' in content) return whole(content.bytes)
  if ('open' in content) return { size: content.size, read: content.open }
  if ('from' in content) return { size: (await stat(content.from)).size, read: () => createReadStream(content.from) }
  await gathered.truncate()
  for await (const part of bytesOf(content.pieces)) {
    signal?.throwIfAborted()
    await gathered.appendFile(part)
  }
  return { size: (await gathered.stat()).size, read: () => gathered.createReadStream({ start: 0, autoClose: false }) }
}

const whole = (bytes: Uint8Array): Sized => ({ size: bytes.byteLength, read: () => [bytes] })
