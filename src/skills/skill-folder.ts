// The folder of skill files: what lies in it, read without following links, and written so that nobody sees half a file.
// What a file says is skill-file.ts's.

import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { probePrefix } from '../identity/home.ts'
import { maxFileBytes, slugOf } from './skill-file.ts'

/** A file as it was found: its name, and what changes with each change of it. */
export interface FoundFile {
  readonly name: string
  /** Undefined for a file that is no skill's by its name or kind; `fault` says why. */
  readonly slug: string | undefined
  readonly fault: string | undefined
  readonly signature: string
  /** When content, mode or name changed last, in UTC milliseconds; no tool sets it back. */
  readonly changedAt: number
}

export interface SkillFolder {
  list(): Promise<readonly FoundFile[]>
  find(slug: string): Promise<FoundFile | undefined>
  /** The bytes of a file, one more than allowed at most; undefined when it is gone. */
  read(slug: string): Promise<Uint8Array | undefined>
  write(slug: string, bytes: Uint8Array): Promise<void>
  remove(slug: string): Promise<void>
}

/** Hidden files, editors' leavings, and what is planted: nothing is said of them. */
const isUnmentioned = (name: string): boolean => /^\.|~$|\.(?:swp|swx|tmp|bak)$/.test(name) || name.startsWith(probePrefix)

export function openSkillFolder(path: string): SkillFolder {
  const fileOf = (slug: string): string => join(path, `${slug}.md`)
  const look = (name: string): Promise<FoundFile | undefined> => lookAt(path, name)
  return {
    async list() {
      const names = await readdir(path).catch(ifMissing([]))
      const found = await Promise.all(names.filter((name) => !isUnmentioned(name)).map(look))
      return found.filter((file) => file !== undefined)
    },
    find: (slug) => look(`${slug}.md`),
    async read(slug) {
      // Neither a link's target nor a pipe's other end.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
      const file = await open(fileOf(slug), flags).catch(ifMissing(undefined))
      if (!file) return undefined
      try {
        const buffer = Buffer.alloc(maxFileBytes + 1)
        let length = 0
        for (let read = 1; read > 0 && length < buffer.length; length += read)
          read = (await file.read(buffer, length, buffer.length - length, length)).bytesRead
        return buffer.subarray(0, length)
      } finally {
        await file.close()
      }
    },
    async write(slug, bytes) {
      await mkdir(path, { recursive: true, mode: 0o755 })
      const draft = join(path, `.${slug}.${randomBytes(6).toString('hex')}.tmp`)
      try {
        const file = await open(draft, 'wx', 0o644)
        try {
          await file.writeFile(bytes)
          await file.chmod(0o644)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(draft, fileOf(slug))
      } catch (error) {
        await unlink(draft).catch(ifMissing(undefined))
        throw error
      }
    },
    remove: (slug) => unlink(fileOf(slug)).catch(ifMissing(undefined)),
  }
}

async function lookAt(path: string, name: string): Promise<FoundFile | undefined> {
  const stat = await lstat(join(path, name)).catch(ifMissing(undefined))
  if (!stat) return undefined
  const slug = slugOf(name)
  const fault =
    slug === undefined
      ? 'a name that is no slug with .md'
      : !stat.isFile() || stat.nlink > 1
        ? 'a link or no file'
        : stat.size > maxFileBytes
          ? `longer than ${maxFileBytes} bytes`
          : undefined
  const signature = `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`
  return { name, slug: fault === undefined ? slug : undefined, fault, signature, changedAt: stat.ctimeMs }
}

function ifMissing<T>(otherwise: T): (error: unknown) => T {
  return (error) => {
    if ((error as { code?: unknown }).code === 'ENOENT') return otherwise
    throw error
  }
}
