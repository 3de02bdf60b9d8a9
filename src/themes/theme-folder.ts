// The folder of a site's theme files: a folder per theme. Symbolic links are not followed, and files are replaced in one step.

import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, rmdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaceFile } from '../base/durable.ts'
import { unlessMissing } from '../base/missing.ts'
import { type FileFault, foundFile, type FoundFile } from '../store/core/file-mirror.ts'
import { fileLimits, isBinary, isThemePath } from './theme-path.ts'

/** Files by their names, such as `my-theme/layout.liquid`. */
export interface ThemeFolder {
  /** The files of a theme that have a valid path, with links, devices and huge files left out. */
  list(theme: string): Promise<readonly FoundFile[]>
  find(name: string): Promise<FoundFile | undefined>
  /** The text of a file, as its row stores it; undefined if the file is gone. */
  read(name: string): Promise<string | FileFault | undefined>
  write(name: string, bytes: Uint8Array): Promise<void>
  /** Removes a file, and the folders that become empty. */
  remove(name: string): Promise<void>
}

const maxDepth = 5

/** The folder need not exist yet. */
export function openThemeFolder(root: string): ThemeFolder {
  const look = async (name: string): Promise<FoundFile | undefined> => {
    const found = await unlessMissing(lstat(join(root, name)))
    return !found?.isFile() || found.nlink > 1 || found.size > fileLimits.binaryBytes ? undefined : foundFile(name, found)
  }
  return {
    async list(theme) {
      const paths = await collect(join(root, theme), '', 0)
      const found = await Promise.all(paths.map((path) => look(`${theme}/${path}`)))
      return found.filter((file) => file !== undefined)
    },
    find: look,
    async read(name) {
      // Follows no link, and doesn't wait for the other end of a pipe.
      const file = await unlessMissing(open(join(root, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK))
      if (!file) return undefined
      try {
        const { size } = await file.stat()
        if (size > fileLimits.binaryBytes) return { fault: `longer than ${fileLimits.binaryBytes} bytes` }
        const bytes = await file.readFile()
        return isBinary(name.slice(name.indexOf('/') + 1))
          ? bytes.toString('base64')
          : new TextDecoder('utf-8', { fatal: true }).decode(bytes)
      } catch (error) {
        if (error instanceof TypeError) return { fault: 'not valid UTF-8' }
        throw error
      } finally {
        await file.close()
      }
    },
    async write(name, bytes) {
      const file = join(root, name)
      await mkdir(dirname(file), { recursive: true, mode: 0o755 })
      await replaceFile(file, bytes, { mode: 0o644 })
    },
    async remove(name) {
      await unlessMissing(unlink(join(root, name)))
      for (let folder = dirname(name); folder !== '.'; folder = dirname(folder)) {
        const removed = await rmdir(join(root, folder)).then(
          () => true,
          () => false,
        )
        if (!removed) return
      }
    },
  }
}

/** The valid paths below a folder. Entries that are links are neither followed nor listed. */
async function collect(folder: string, below: string, depth: number): Promise<string[]> {
  if (depth > maxDepth) return []
  const found = (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? []
  const paths = await Promise.all(
    found.map(async (one) => {
      const path = below + one.name
      if (one.isDirectory() && !one.name.startsWith('.')) return collect(join(folder, one.name), `${path}/`, depth + 1)
      return one.isFile() && isThemePath(path) ? [path] : []
    }),
  )
  return paths.flat()
}
