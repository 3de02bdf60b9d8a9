// The folder of a site's theme files: a folder per theme. Links are not followed, nothing outside is reached, and files are replaced in one step.

import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, rmdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaceFile } from '../durable.ts'
import { unlessMissing } from '../missing.ts'
import { fileLimits, isBinary, isThemePath } from './theme-path.ts'

/** A file in the folder of a theme. Its signature changes with each change of the file. */
export interface FoundThemeFile {
  readonly theme: string
  readonly path: string
  readonly signature: string
  /** When content, mode or name changed last (ctime), in UTC milliseconds. */
  readonly changedAt: number
}

export interface ThemeFolder {
  /** The files of a theme that have a valid path, with links, devices and huge files left out. */
  list(theme: string): Promise<readonly FoundThemeFile[]>
  find(theme: string, path: string): Promise<FoundThemeFile | undefined>
  /** The text of a file as its row would have it; undefined where the file is gone or no longer fits. */
  read(theme: string, path: string): Promise<string | undefined>
  write(theme: string, path: string, bytes: Uint8Array): Promise<void>
  /** Removes a file, and the folders that are empty after that. */
  remove(theme: string, path: string): Promise<void>
}

const maxDepth = 5

/** The folder need not exist yet. */
export function openThemeFolder(root: string): ThemeFolder {
  const look = async (theme: string, path: string): Promise<FoundThemeFile | undefined> => {
    const found = await unlessMissing(lstat(join(root, theme, path)))
    if (!found?.isFile() || found.nlink > 1 || found.size > fileLimits.binaryBytes) return undefined
    const signature = `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`
    return { theme, path, signature, changedAt: found.ctimeMs }
  }
  return {
    async list(theme) {
      const paths = await collect(join(root, theme), '', 0)
      const found = await Promise.all(paths.map((path) => look(theme, path)))
      return found.filter((file) => file !== undefined)
    },
    find: look,
    async read(theme, path) {
      // Follows no link, and doesn't wait for the other end of a pipe.
      const file = await unlessMissing(
        open(join(root, theme, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK),
      )
      if (!file) return undefined
      try {
        const { size } = await file.stat()
        if (size > fileLimits.binaryBytes) return undefined
        const bytes = await file.readFile()
        return isBinary(path) ? bytes.toString('base64') : new TextDecoder('utf-8', { fatal: true }).decode(bytes)
      } catch (error) {
        if (error instanceof TypeError) return undefined
        throw error
      } finally {
        await file.close()
      }
    },
    async write(theme, path, bytes) {
      const file = join(root, theme, path)
      await mkdir(dirname(file), { recursive: true, mode: 0o755 })
      await replaceFile(file, bytes, { mode: 0o644 })
    },
    async remove(theme, path) {
      await unlessMissing(unlink(join(root, theme, path)))
      for (let folder = dirname(path); ; folder = dirname(folder)) {
        const removed = await rmdir(join(root, theme, folder)).then(
          () => true,
          () => false,
        )
        if (!removed || folder === '.') return
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
