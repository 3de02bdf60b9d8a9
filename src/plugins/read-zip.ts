// Reads a package from a zip, which can come from anyone. The directory and the local headers must agree, and a zip that another
// program could read differently is refused. yauzl reads the directory, this file inflates the data.

import { crc32, createInflateRaw } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { Failure } from '../base/failure.ts'
import { createLate } from '../base/late.ts'
import { type PackageEntry, packageFault } from './package-files.ts'
import { checkPackageLimit } from './package-limits.ts'
import { createPathList, showPath } from './package-path.ts'

/** CommonJS: in the bundle, its members are only on `default`. */
const yauzl = createLate(async () => (await import('yauzl')).default)

/** The start of an entry's local header, and the end of its data. */
interface Span {
  readonly path: string
  readonly start: number
  readonly dataStart: number
  readonly end: number
}

/** A folder that the macOS Finder adds to a zip. It isn't part of the plugin. */
const finderFolder = '__MACOSX/'

const endRecordBytes = 22
const stored = 0
const deflated = 8
const kindMask = 0o170000
const regular = 0o100000
const folder = 0o040000

/**
 * Lists the files of a zip. All entries are checked before any file is read. If one folder contains everything, paths are relative
 * to it.
 * @throws Failure `unprocessable` with the invalid entry (attacks 109, 110)
 */
export async function readZip(zip: Uint8Array, signal: AbortSignal): Promise<readonly PackageEntry[]> {
  checkPackageLimit('zipBytes', zip.length)
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength)
  try {
    return unwrap(await listEntries(bytes, signal))
  } catch (error) {
    if (error instanceof Failure || signal.aborted) throw error
    throw new Failure('unprocessable', 'The file is no zip, or it is damaged or was cut off.', {}, { cause: error })
  }
}

async function listEntries(bytes: Buffer, signal: AbortSignal): Promise<PackageEntry[]> {
  const { fromBufferPromise } = await yauzl()
  const zip = await fromBufferPromise(bytes, { decodeStrings: false, validateEntrySizes: false })
  checkPackageLimit('entries', zip.entryCount)
  const directoryStart = zip.readEntryCursor as unknown as number
  const paths = createPathList()
  const entries: PackageEntry[] = []
  const spans: Span[] = []
  for await (const entry of zip.eachEntry()) {
    signal.throwIfAborted()
    const name = nameOf(entry)
    const isFolder = name.endsWith('/')
    const path = isFolder ? name.slice(0, -1) : name
    const fault = paths.add(path, isFolder ? 'folder' : 'file') ?? faultOf(entry, isFolder)
    if (fault !== undefined) throw packageFault(path, fault)
    checkPackageLimit('entries', paths.size)
    const span = await spanOf(zip, entry, path)
    spans.push(span)
    if (!isFolder) entries.push({ path, read: () => inflate(entry, path, bytes.subarray(span.dataStart, span.end)) })
  }
  checkDirectory(zip, bytes.length)
  checkSpans(spans, directoryStart)
  return entries
}

function nameOf(entry: Entry): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(entry.fileNameRaw)
  } catch (error) {
    throw packageFault(entry.fileNameRaw.toString('latin1'), 'is not UTF-8', { cause: error })
  }
}

/** Describes the fault of an entry, according to the directory. */
function faultOf(entry: Entry, isFolder: boolean): string | undefined {
  const mode = entry.externalFileAttributes >>> 16
  const kind = mode & kindMask
  const wrong: readonly (readonly [boolean, string])[] = [
    [kind !== 0 && kind !== regular && kind !== folder, 'is a link or a device'],
    [kind !== 0 && (kind === folder) !== isFolder, 'is a file by its name and something else by its mode'],
    [!isFolder && (entry.externalFileAttributes & 0x10) !== 0, 'is a file by its name and a folder by its attributes'],
    [isFolder && (entry.uncompressedSize !== 0 || entry.compressedSize > 2), 'is a folder with content'],
    [(mode & (isFolder ? 0o4000 : 0o6000)) !== 0, 'is setuid or setgid'],
    [(entry.generalPurposeBitFlag & 0x2041) !== 0, 'is encrypted'],
    [
      entry.compressionMethod !== stored && entry.compressionMethod !== deflated,
      'is compressed with a method that is not supported: use deflate',
    ],
    [entry.extraFields.some(({ id }) => id === 0x0001), 'is in the form Zip64, for which a package is too small'],
    [entry.extraFields.some(({ id, data }) => id === 0x7075 && !data.subarray(5).equals(entry.fileNameRaw)), 'has a second name'],
    [entry.compressionMethod === stored && entry.compressedSize !== entry.uncompressedSize, 'lies about its size'],
  ]
  return wrong.find(([is]) => is)?.[1]
}

/**
 * Returns the place of an entry. Its local header must agree with the directory, because some programs read one and some the other.
 */
async function spanOf(zip: ZipFile, entry: Entry, path: string): Promise<Span> {
  const local = await zip.readLocalFileHeaderPromise(entry, {})
  if (!local.fileName.equals(entry.fileNameRaw))
    throw packageFault(path, `is named ${showPath(local.fileName.toString())} in its own header`)
  const sizesFollow = (local.generalPurposeBitFlag & 8) !== 0
  const alike =
    local.compressionMethod === entry.compressionMethod &&
    (local.generalPurposeBitFlag & 0x2041) === 0 &&
    (sizesFollow ||
      (local.crc32 === entry.crc32 &&
        local.compressedSize === entry.compressedSize &&
        local.uncompressedSize === entry.uncompressedSize))
  if (!alike) throw packageFault(path, 'is another file by its own header than by the directory')
  const start = entry.relativeOffsetOfLocalHeader
  return { path, start, dataStart: local.fileDataStart, end: local.fileDataStart + entry.compressedSize }
}

/**
 * Checks that the directory ends where its end record begins. Then it has no more entries than it counts, and the zip isn't Zip64.
 */
function checkDirectory(zip: ZipFile, size: number): void {
  const end = size - endRecordBytes - zip.comment.length
  if ((zip.readEntryCursor as unknown as number) !== end)
    throw new Failure('unprocessable', 'The directory of the zip is not as long as it says, or in the form Zip64.')
}

/** Checks that entries share no bytes with each other or the directory. With shared bytes, 42 KB can contain petabytes. */
function checkSpans(spans: readonly Span[], directoryStart: number): void {
  const sorted = [...spans].sort((a, b) => a.start - b.start)
  for (const [index, { path, end }] of sorted.entries()) {
    const next = sorted[index + 1]
    if (end > (next?.start ?? directoryStart))
      throw packageFault(path, `overlaps ${next ? showPath(next.path) : 'the directory of the zip'}`)
  }
}

/** Streams an entry's bytes, checking the directory's size and checksum. It stops at the first chunk beyond that size. */
async function* inflate(entry: Entry, path: string, data: Buffer): AsyncIterable<Uint8Array> {
  let [length, sum] = [0, 0]
  for await (const chunk of entry.compressionMethod === stored ? [data] : inflated(path, data)) {
    length += chunk.length
    if (length > entry.uncompressedSize) throw packageFault(path, 'is larger than it says')
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (length !== entry.uncompressedSize) throw packageFault(path, 'is smaller than it says')
  if (sum !== entry.crc32) throw packageFault(path, 'is damaged: its checksum does not match')
}

async function* inflated(path: string, data: Buffer): AsyncIterable<Buffer> {
  const inflater = createInflateRaw()
  inflater.end(data)
  try {
    for await (const chunk of inflater) yield chunk as Buffer
  } catch (error) {
    throw packageFault(path, 'can not be unpacked: it is damaged', { cause: error })
  }
  if (inflater.bytesWritten !== data.length) throw packageFault(path, 'has bytes after its end')
}

function unwrap(entries: readonly PackageEntry[]): readonly PackageEntry[] {
  const own = entries.filter(({ path }) => !path.startsWith(finderFolder))
  const top = own[0]?.path.split('/')[0] ?? ''
  if (own.length === 0 || !own.every(({ path }) => path.startsWith(`${top}/`))) return own
  return own.map(({ path, read }) => ({ path: path.slice(top.length + 1), read }))
}
