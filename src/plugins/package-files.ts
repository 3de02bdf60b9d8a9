// What a package is made of: files by path, their hashes, and the one list from which its hash and its signature come. How the files
// are come by is read-zip.ts's and read-folder.ts's.

import { createHash } from 'node:crypto'
import { Failure } from '../failure.ts'
import { checkPackageLimit } from './package-limits.ts'
import { showPath } from './package-path.ts'

/** A file that can be read, under a path that was held against package-path.ts. */
export interface PackageEntry {
  readonly path: string
  /** Its bytes, as they come. @throws Failure `unprocessable` when they are not what was said of them */
  read(): AsyncIterable<Uint8Array>
}

export interface PackageFile {
  readonly path: string
  /** Lower-case hex. */
  readonly sha256: string
}

const hashDigits = 16

/** The list that is hashed and signed: a line a file as `sha256sum` writes it, sorted by path. */
export function listOf(files: readonly PackageFile[]): string {
  const sorted = [...files].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
  return sorted.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('')
}

/** The name of a package: the first 16 hex digits of the SHA-256 of its list. */
export function hashOf(files: readonly PackageFile[]): string {
  return createHash('sha256').update(listOf(files)).digest('hex').slice(0, hashDigits)
}

/** All bytes of a package pass through here, one file after the other. */
export interface PackageReader {
  /** The bytes of an entry, counted and hashed as they pass. They are to be read to their end. */
  pass(entry: PackageEntry): AsyncIterable<Uint8Array>
  /** Those that passed whole. */
  readonly files: readonly PackageFile[]
  readonly bytes: number
  /** The bytes of a file that was asked for. */
  textOf(path: string): string | undefined
}

/**
 * Counts and hashes what passes, up to the limit of a package.
 * @param wanted files whose text is kept, each with its limit
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
    const kept: Uint8Array[] = []
    let own = 0
    signal.throwIfAborted()
    for await (const chunk of entry.read()) {
      signal.throwIfAborted()
      own += chunk.length
      checkPackageLimit('bytes', (bytes += chunk.length))
      if (limit) checkPackageLimit(limit, own)
      if (limit) kept.push(chunk)
      hash.update(chunk)
      yield chunk
    }
    files.push({ path: entry.path, sha256: hash.digest('hex') })
    if (limit) texts.set(entry.path, decode(entry.path, Buffer.concat(kept)))
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

/** Reads entries to their end and keeps nothing of them but the hashes. */
export async function hashEntries(entries: readonly PackageEntry[], signal: AbortSignal): Promise<readonly PackageFile[]> {
  const reader = createPackageReader(signal)
  for (const entry of entries) await drain(reader.pass(entry))
  return reader.files
}

/** Reads to the end. */
export async function drain(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of chunks) void chunk
}

/** A refusal of a whole package for one of its files. `words` are read after its name. */
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
