// An export as a zip, made while it is read.

import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { addAbortSignal, type PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { toError } from '../base/error-message.ts'
import { contentBytes, createNames, type ExportFile, type ExportFiles } from './export-file.ts'

/** Any date: the same site makes the same bytes. */
const mtime = new Date('2000-01-01T12:00:00Z')

/**
 * Yields the bytes of a zip with these files. One file at a time is read, as fast as the zip is, and not further once its reader
 * has left.
 */
export async function* zipBytes(files: ExportFiles): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const output = zip.outputStream as PassThrough
  const left = new AbortController()
  const fail = (error: unknown): void => void output.destroy(toError(error))
  zip.on('error', fail)
  const filling = fill(zip, files, left.signal).catch(fail)
  try {
    yield* output as AsyncIterable<Uint8Array>
  } finally {
    left.abort()
    await filling
  }
}

async function fill(zip: ZipFile, files: ExportFiles, signal: AbortSignal): Promise<void> {
  const nameOf = createNames()
  for await (const { path, content } of files) {
    const stream = await streamOf(content)
    zip.addReadStream(stream, nameOf(path), { mtime, compress: !('from' in content || 'open' in content) })
    await finished(addAbortSignal(signal, stream))
  }
  zip.end()
}

/** Opens a content. A file that is missing fails here, before its name is in the zip. */
async function streamOf(content: ExportFile['content']): Promise<Readable> {
  if ('open' in content) return Readable.from(content.open())
  if (!('from' in content)) return Readable.from([Buffer.from(await contentBytes(content))])
  const stream = createReadStream(content.from)
  await once(stream, 'open')
  return stream
}

/** Returns a zip of the files of a folder, without those whose name begins with a dot. */
export function zipFolder(folder: string): Promise<Buffer> {
  return buffer(zipBytes(filesBelow(folder)))
}

async function* filesBelow(folder: string): ExportFiles {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name)
    if (entry.isFile() && !entry.name.startsWith('.')) yield { path: relative(folder, from), content: { from } }
  }
}
