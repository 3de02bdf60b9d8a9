// An export as a zip, made while it is read.

import { open, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { bytesOf, inBlocks } from '../base/bytes-of.ts'
import { type ZipMember, zipBytesOf } from '../base/zip-bytes.ts'
import { createNames, type ExportFile, type ExportFiles } from './export-file.ts'

/**
 * Yields the bytes of a zip with these files. One file at a time is read, as fast as the zip is, and not further once its reader
 * has left.
 */
export const zipBytes = (files: ExportFiles): AsyncGenerator<Uint8Array> => inBlocks(zipBytesOf(membersOf(files)))

async function* membersOf(files: ExportFiles): AsyncGenerator<ZipMember> {
  const nameOf = createNames()
  for await (const { path, content } of files)
    yield { name: nameOf(path), content: await bytesIn(content), compress: !('from' in content || 'open' in content) }
}

/** Opens a content. A file that is missing fails here, before its name is in the zip. */
async function bytesIn(content: ExportFile['content']): Promise<ZipMember['content']> {
  if ('text' in content) return Buffer.from(content.text)
  if ('bytes' in content) return content.bytes
  if ('pieces' in content) return bytesOf(content.pieces)
  if ('open' in content) return content.open()
  return (await open(content.from)).createReadStream()
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
