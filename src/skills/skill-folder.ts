// The folder of skill files. Symbolic links are not followed, and files are replaced in one step, so that no reader sees half a
// file. `skill-file.ts` parses the content.

import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../base/durable.ts'
import { probePrefix } from '../identity/home.ts'
import { unlessMissing } from '../base/missing.ts'
import { foundFile, type FoundFile } from '../store/core/file-mirror.ts'
import { maxFileBytes, slugOf } from './skill-file.ts'

/** A file in the folder. `fault` is the reason why its name, kind or size excludes it. */
export interface SkillFile extends FoundFile {
  readonly fault: string | undefined
}

/** The folder, with files by their names, such as `greeting.md`. */
export interface SkillFolder {
  list(): Promise<readonly SkillFile[]>
  find(name: string): Promise<SkillFile | undefined>
  /** The bytes of a file, cut one byte beyond the limit; undefined if it is gone. */
  read(name: string): Promise<Uint8Array | undefined>
  write(name: string, bytes: Uint8Array): Promise<void>
  remove(name: string): Promise<void>
}

/** True for files that are ignored: hidden files, temporary files of editors, and probes. */
const isUnmentioned = (name: string): boolean => /^\.|~$|\.(?:swp|swx|tmp|bak)$/.test(name) || name.startsWith(probePrefix)

/** The folder of a home's skills. It need not exist yet. */
export function openSkillFolder(path: string): SkillFolder {
  const look = (name: string): Promise<SkillFile | undefined> => lookAt(path, name)
  return {
    async list() {
      const names = (await unlessMissing(readdir(path))) ?? []
      const found = await Promise.all(names.filter((name) => !isUnmentioned(name)).map(look))
      return found.filter((file) => file !== undefined)
    },
    find: look,
    async read(name) {
      // Follows no link, and doesn't wait for the other end of a pipe.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
      const file = await unlessMissing(open(join(path, name), flags))
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
    async write(name, bytes) {
      await mkdir(path, { recursive: true, mode: 0o755 })
      // The file is hidden until it is complete, so that no reader takes half of it for a skill.
      await replaceFile(join(path, name), bytes, { mode: 0o644 })
    },
    remove: (name) => unlessMissing(unlink(join(path, name))),
  }
}

async function lookAt(path: string, name: string): Promise<SkillFile | undefined> {
  const stat = await unlessMissing(lstat(join(path, name)))
  if (!stat) return undefined
  const fault =
    slugOf(name) === undefined
      ? 'the name is not a slug with .md'
      : !stat.isFile() || stat.nlink > 1
        ? 'a link, or not a file'
        : stat.size > maxFileBytes
          ? `longer than ${maxFileBytes} bytes`
          : undefined
  return { ...foundFile(name, stat), fault }
}
