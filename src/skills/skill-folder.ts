// The folder of skill files. Links are not followed, and files are replaced in one step, so that nobody sees half a file.
// The content of a file is skill-file.ts's business.

import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../durable.ts'
import { probePrefix } from '../identity/home.ts'
import { unlessMissing } from '../missing.ts'
import { maxFileBytes, slugOf } from './skill-file.ts'

/** A file in the folder. Its signature changes with each change of the file. */
export interface FoundFile {
  readonly name: string
  /** Undefined for a file that can't be a skill because of its name, kind or size; `fault` says why. */
  readonly slug: string | undefined
  readonly fault: string | undefined
  readonly signature: string
  /** The last change of content, mode or name (ctime), in UTC milliseconds. No tool can set it to an earlier time. */
  readonly changedAt: number
}

export interface SkillFolder {
  list(): Promise<readonly FoundFile[]>
  find(slug: string): Promise<FoundFile | undefined>
  /** The bytes of a file, cut one byte beyond the limit; undefined when it is gone. */
  read(slug: string): Promise<Uint8Array | undefined>
  write(slug: string, bytes: Uint8Array): Promise<void>
  remove(slug: string): Promise<void>
}

/** Hidden files, temporary files of editors, and probes are ignored. */
const isUnmentioned = (name: string): boolean => /^\.|~$|\.(?:swp|swx|tmp|bak)$/.test(name) || name.startsWith(probePrefix)

/** The folder of a home's skills. It need not exist yet. */
export function openSkillFolder(path: string): SkillFolder {
  const fileOf = (slug: string): string => join(path, `${slug}.md`)
  const look = (name: string): Promise<FoundFile | undefined> => lookAt(path, name)
  return {
    async list() {
      const names = (await unlessMissing(readdir(path))) ?? []
      const found = await Promise.all(names.filter((name) => !isUnmentioned(name)).map(look))
      return found.filter((file) => file !== undefined)
    },
    find: (slug) => look(`${slug}.md`),
    async read(slug) {
      // Follows no link, and doesn't wait for the other end of a pipe.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
      const file = await unlessMissing(open(fileOf(slug), flags))
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
      // The file is hidden until it is complete, so that nobody takes half of it for a skill.
      await replaceFile(fileOf(slug), bytes, { mode: 0o644 })
    },
    remove: (slug) => unlessMissing(unlink(fileOf(slug))),
  }
}

async function lookAt(path: string, name: string): Promise<FoundFile | undefined> {
  const stat = await unlessMissing(lstat(join(path, name)))
  if (!stat) return undefined
  const slug = slugOf(name)
  const fault =
    slug === undefined
      ? 'the name is not a slug with .md'
      : !stat.isFile() || stat.nlink > 1
        ? 'a link, or not a file'
        : stat.size > maxFileBytes
          ? `longer than ${maxFileBytes} bytes`
          : undefined
  const signature = `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`
  return { name, slug: fault === undefined ? slug : undefined, fault, signature, changedAt: stat.ctimeMs }
}
