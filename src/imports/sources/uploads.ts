// Files of the folder of uploads of WordPress, wherever it lies in an import.

import type { SourceFiles } from '../source-files.ts'

/** Returns the part of an address or path below `uploads`, or `files` on older networks of sites. */
export function uploadIn(path: string): string | undefined {
  const folder = ['uploads/', 'files/'].find((name) => path.includes(`/${name}`) || path.startsWith(name))
  return folder === undefined ? undefined : path.slice(path.indexOf(folder) + folder.length) || undefined
}

/** Returns a search for files by their paths below `uploads`. */
export function createUploads({ sizes }: Pick<SourceFiles, 'sizes'>): (path: string) => string | undefined {
  const byPath = new Map<string, string>()
  for (const path of sizes.keys()) {
    const below = uploadIn(path)
    if (below !== undefined) byPath.set(below, path)
  }
  return (path) => byPath.get(path.normalize('NFC'))
}
