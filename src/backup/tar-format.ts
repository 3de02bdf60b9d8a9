// Reads the headers of a tar archive as `base/tar-header.ts` writes them, and refuses everything else that tar allows. Other
// modules decide which files an archive may contain and where they go. tar-stream (8 MB with its packages) and modern-tar read an
// archive from end to end; this code lists gigabytes by reading only the headers.

import { Failure } from '../base/failure.ts'
import { tarBlockBytes, tarChecksum, tarPadding } from '../base/tar-header.ts'
import type { Positioned } from './file-parts.ts'

/** The longest pax header that is read. It has a path and a size, and file systems limit the length of a path. */
const maxPaxBytes = 16 * 1024

/** A file in an archive. `offset` is the position of its first byte. */
export interface TarEntry {
  readonly path: string
  readonly bytes: number
  readonly offset: number
  /** UTC milliseconds, in whole seconds. */
  readonly modifiedAt: number
}

/**
 * Lists the files of an archive in their order, without reading their contents. `size` is the size of the archive in bytes.
 * @throws Failure `unprocessable` if the file is not an archive of plain files, or is cut off
 */
export async function readTarEntries(file: Positioned, size: number): Promise<readonly TarEntry[]> {
  const entries: TarEntry[] = []
  let named: { readonly path: string; readonly bytes: number } | undefined
  for (let at = 0; ;) {
    const block = await readAt(file, at, tarBlockBytes, size)
    if (block.every((byte) => byte === 0)) return entries
    const header = readHeader(block)
    const bytes = named?.bytes ?? header.bytes
    const offset = at + tarBlockBytes
    if (offset + bytes > size) throw cutOff()
    if (header.type === 'x') named = readPax(await readAt(file, offset, Math.min(header.bytes, maxPaxBytes), size))
    else {
      entries.push({ path: named?.path ?? header.name, bytes, offset, modifiedAt: header.modifiedAt })
      named = undefined
    }
    at = offset + bytes + tarPadding(bytes).length
  }
}

async function readAt(file: Positioned, at: number, bytes: number, size: number): Promise<Buffer> {
  if (at + bytes > size) throw cutOff()
  const memory = Buffer.alloc(bytes)
  const { bytesRead } = await file.read(memory, 0, bytes, at)
  if (bytesRead < bytes) throw cutOff()
  return memory
}

function readHeader(block: Buffer): { name: string; bytes: number; modifiedAt: number; type: string } {
  const text = (at: number, length: number) => block.toString('latin1', at, at + length).replace(/\0[^]*$/, '')
  const octal = (at: number, length: number) => {
    const digits = text(at, length).trim()
    if (!/^[0-7]+$/.test(digits)) throw noBackup()
    return Number.parseInt(digits, 8)
  }
  if (text(257, 5) !== 'ustar' || octal(148, 8) !== tarChecksum(block)) throw noBackup()
  const type = text(156, 1)
  if (type !== '0' && type !== 'x')
    throw new Failure(
      'unprocessable',
      `${JSON.stringify(text(0, 100))} in this archive is a link or a folder: a backup holds plain files alone.`,
    )
  return { name: text(0, 100), bytes: octal(124, 12), modifiedAt: 1000 * octal(136, 12), type }
}

function readPax(records: Buffer): { path: string; bytes: number } {
  const text = records.toString('utf8')
  const [, path] = /^\d+ path=([^\n]+)\n/.exec(text) ?? []
  const [, digits] = /\n\d+ size=(\d{1,15})\n$/.exec(text) ?? []
  if (path === undefined || digits === undefined) throw noBackup()
  return { path, bytes: Number(digits) }
}

const cutOff = () => new Failure('unprocessable', 'This archive is cut off: it ends before its last file does.')
const noBackup = () => new Failure('unprocessable', 'This is no backup of Postern, or it is damaged.')
