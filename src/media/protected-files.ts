// Finds, lists and reads the files in `user-content/uploads/protected/`. Symbolic links are not followed. The caller checks access.

import { constants, type Dirent } from 'node:fs'
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { probePrefix } from '../identity/home.ts'
import { headBytes, kindOf } from './file-kind.ts'

export interface ProtectedFile {
  /** Its path below `uploads/`: `protected/2026/report.pdf`. */
  readonly id: string
  readonly filename: string
  /** Media type, from its first bytes. */
  readonly kind: string
  readonly bytes: number
  /** UTC milliseconds. */
  readonly changedAt: number
}

export interface ProtectedFiles {
  /** The ids of all files, sorted. */
  list(): Promise<readonly string[]>
  find(id: string): Promise<ProtectedFile | undefined>
  /**
   * The bytes from `start` to `end`, both included. The file is opened when reading begins.
   * @throws Error if the file is gone by then
   */
  read(id: string, start: number, end: number): AsyncIterable<Uint8Array>
}

const prefix = 'protected/'
const maxFiles = 10_000
const maxDepth = 8
const chunkBytes = 64 * 1024

/** The protected files of a home. Their folder need not exist yet. */
export function openProtectedFiles(home: string): ProtectedFiles {
  const uploads = join(home, 'user-content', 'uploads')
  return {
    async list() {
      const found: string[] = []
      await collect(join(uploads, 'protected'), 'protected', found)
      return found.sort((a, b) => (a < b ? -1 : 1))
    },
    async find(id) {
      const file = await openFile(uploads, id)
      if (!file) return undefined
      try {
        const { size, mtimeMs } = await file.stat()
        const head = Buffer.alloc(headBytes)
        const { bytesRead } = await file.read(head, 0, headBytes, 0)
        const kind = kindOf(head.subarray(0, bytesRead))
        return { id, filename: basename(id), kind, bytes: size, changedAt: Math.floor(mtimeMs) }
      } finally {
        await file.close()
      }
    },
    read: (id, start, end) => readPart(uploads, id, start, end),
  }
}

async function collect(folder: string, id: string, found: string[], depth = 0): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(ifMissing<Dirent[]>([]))
  for (const entry of entries) {
    if (found.length >= maxFiles) return
    const own = `${id}/${entry.name}`
    if (!isId(own)) continue
    if (entry.isFile()) found.push(own)
    else if (entry.isDirectory() && depth < maxDepth) await collect(join(folder, entry.name), own, found, depth + 1)
  }
}

/** True if a path can be an id: no hidden files, probes, dot segments, backslashes or control characters. */
function isId(id: string): boolean {
  // eslint-disable-next-line no-control-regex
  if (!id.startsWith(prefix) || id.length > 1000 || /[\x00-\x1f\x7f\\]/.test(id) || !id.isWellFormed()) return false
  return id.split('/').every((segment) => segment !== '' && !segment.startsWith('.') && !segment.startsWith(probePrefix))
}

/** Opens a file. A symbolic link anywhere below `protected/` makes it undefined. */
async function openFile(uploads: string, id: string): Promise<FileHandle | undefined> {
  if (!isId(id)) return undefined
  const root = await realpath(join(uploads, 'protected')).catch(ifMissing(undefined))
  if (root === undefined) return undefined
  const path = join(root, id.slice(prefix.length))
  const real = await realpath(path).catch(ifMissing(undefined))
  if (real !== path || !real.startsWith(root + sep)) return undefined
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch(ifMissing(undefined))
  if (!file || (await file.stat()).isFile()) return file
  await file.close()
  return undefined
}

async function* readPart(uploads: string, id: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  const file = await openFile(uploads, id)
  if (!file) throw new Error(`${id} is gone`)
  try {
    for (let at = start; at <= end;) {
      const buffer = Buffer.alloc(Math.min(chunkBytes, end - at + 1))
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

const absent: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EACCES', 'ENAMETOOLONG'])

function ifMissing<T>(otherwise: T): (error: unknown) => T {
  return (error) => {
    if (absent.has((error as { code?: unknown }).code)) return otherwise
    throw error
  }
}
