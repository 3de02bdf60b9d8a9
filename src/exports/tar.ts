// An export as a tar, made while it is read, which `tar` unpacks from a pipe. A tar tells the size of a file before its bytes, so
// what comes in pieces is gathered in a temporary file first.

import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { bytesOf, inBlocks } from '../base/bytes-of.ts'
import { tarEnd, tarHeader, tarPadding, type TarTraits } from '../base/tar-header.ts'
import { createNames, type ExportFile, type ExportFiles } from './export-file.ts'

/** Any date: the same files make the same bytes. */
const traits: TarTraits = { modifiedAt: Date.UTC(2000, 0, 1, 12), mode: 0o644 }

/** Yields the bytes of a tar with these files. One file at a time is read, as fast as the tar is. */
export const tarBytes = (files: ExportFiles): AsyncGenerator<Uint8Array> => inBlocks(parts(files))

async function* parts(files: ExportFiles): AsyncGenerator<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-export-'))
  try {
    const nameOf = createNames()
    for await (const { path, content } of files) {
      const { size, read } = await sized(content, join(folder, 'pieces'))
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
    await rm(folder, { recursive: true, force: true })
  }
}

interface Sized {
  readonly size: number
  /** Opens the bytes. A reader may leave before. */
  read(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

/** @param to the path of a temporary file */
async function sized(content: ExportFile['content'], to: string): Promise<Sized> {
  if ('text' in content) return whole(Buffer.from(content.text))
  if ('bytes' in content) return whole(content.bytes)
  if ('from' in content) return onDisk(content.from)
  await pipeline('open' in content ? content.open() : bytesOf(content.pieces), createWriteStream(to, { mode: 0o600 }))
  return onDisk(to)
}

const whole = (bytes: Uint8Array): Sized => ({ size: bytes.byteLength, read: () => [bytes] })

const onDisk = async (path: string): Promise<Sized> => ({ size: (await stat(path)).size, read: () => createReadStream(path) })
