// A package is a list of files with their hashes. The package's own hash and its signature are computed from that list.
// `read-zip.ts` and `read-folder.ts` find the files.

import { createHash } from 'node:crypto'
import { Failure } from '../base/failure.ts'
import { checkPackageLimit } from './package-limits.ts'
import { showPath } from './package-path.ts'

/** A file that can be read. package-path.ts has checked its path. */
export interface PackageEntry {
  readonly path: string
  /** Streams the file's bytes. @throws Failure `unprocessable` if they don't match the package's declaration */
  read(): AsyncIterable<Uint8Array>
}

export interface PackageFile {
  readonly path: string
  /** Lower-case hex. */
  readonly sha256: string
}

const hashDigits = 16

/** The list that is hashed and signed: one line per file, as `sha256sum` writes it, sorted by path. */
export function listOf(files: readonly PackageFile[]): string {
  const sorted = [...files].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
  return sorted.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('')
}

/** The name of a package: the first 16 hex digits of the SHA-256 of its list. */
export function hashOf(files: readonly PackageFile[]): string {
  return createHash('sha256').update(listOf(files)).digest('hex').slice(0, hashDigits)
}

/** Counts and hashes the files of a package, one after the other. */
export interface PackageReader {
  /** Streams the bytes of an entry while counting and hashing them. Callers must read to the end. */
  pass(entry: PackageEntry): AsyncIterable<Uint8Array>
  /** The files that were read to the end. */
  readonly files: readonly PackageFile[]
  readonly bytes: number
  /** The text of a file in `wanted`. */
  textOf(path: string): string | undefined
}

/**
 * Creates a reader that refuses a package above the limits.
 * @param wanted files whose text is returned by `textOf`, each with its limit
 */
export function createPackageReader(
  signal: AbortSignal,
  wanted: Readonly<Record<string, 'manifestBytes' | 'signatureBytes'>> = {},
): PackageReader {
  const files: PackageFile[] = []
  const texts = new Map<string, string>()
  let bytes = 0

  async function* pass(entry: PackageEntry): AsyncIterable<Uint8Array> {
    const hash = createHash('sha256')
    const limit = Object.hasOwn(wanted, entry.path) ? wanted[entry.path] : undefined
    const chunks: Uint8Array[] = []
    let own = 0
    signal.throwIfAborted()
    for await (const chunk of entry.read()) {
      signal.throwIfAborted()
      own += chunk.length
      checkPackageLimit('bytes', (bytes += chunk.length))
      if (limit) checkPackageLimit(limit, own)
      if (limit) chunks.push(chunk)
      hash.update(chunk)
      yield chunk
    }
    files.push({ path: entry.path, sha256: hash.digest('hex') })
    if (limit) texts.set(entry.path, decode(entry.path, Buffer.concat(chunks)))
  }

  return {
    pass,
    files,
    get bytes() {
      return bytes
    },
    textOf: (path) => texts.get(path),
  }
}

/** Reads entries to the end, and keeps only their hashes. */
export async function hashEntries(entries: readonly PackageEntry[], signal: AbortSignal): Promise<readonly PackageFile[]> {
  const reader = createPackageReader(signal)
  for (const entry of entries) await drain(reader.pass(entry))
  return reader.files
}

export async function drain(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of chunks) void chunk
}

/** Refuses the whole package because of one file. @param words the rest of the sentence, after the file's name */
export function packageFault(path: string, words: string, options?: ErrorOptions): Failure {
  return new Failure('unprocessable', `The package is refused: ${showPath(path)} ${words}.`, {}, options)
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw packageFault(path, 'is not UTF-8', { cause: error })
  }
}
