// An export as a zip, made while it is read.

import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { contentBytes, createNames, type ExportFiles } from './export-file.ts'

/** Any date: the same site makes the same bytes. */
const mtime = new Date('2000-01-01T12:00:00Z')

/** Yields the bytes of a zip with these files. One file at a time is read. */
export async function* zipBytes(files: ExportFiles): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const nameOf = createNames()
  let failure: unknown
  const filling = fill(zip, files, nameOf).catch((error: unknown) => {
    failure = error
    // The reader below learns of it at the end of what was written so far.
    zip.end()
  })
  for await (const part of zip.outputStream) {
    if (failure !== undefined) throw failure
    yield part as Uint8Array
  }
  await filling
  if (failure !== undefined) throw failure
}

async function fill(zip: ZipFile, files: ExportFiles, nameOf: (path: string) => string): Promise<void> {
  for await (const { path, content } of files) {
    const name = nameOf(path)
    if ('from' in content) await addFile(zip, content.from, name)
    else zip.addBuffer(Buffer.from(await contentBytes(content)), name, { mtime })
  }
  zip.end()
}

/** Adds a file and waits until it was read, so that few files are open. */
function addFile(zip: ZipFile, from: string, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = createReadStream(from)
    stream.once('error', reject)
    stream.once('end', resolve)
    stream.once('open', () => zip.addReadStream(stream, name, { mtime, compress: false }))
  })
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
