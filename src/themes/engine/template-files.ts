// The templates of a theme as the file system of the engine. It has no other paths, so no template reads other files (attack 101).

import type { LiquidOptions } from 'liquidjs'

export function templateFiles(templates: Readonly<Record<string, string>>): NonNullable<LiquidOptions['fs']> {
  const byPath = new Map(Object.entries(templates))
  const has = (path: string): boolean => byPath.has(path)
  const read = (path: string): string => {
    const text = byPath.get(path)
    if (text === undefined) throw new Error(`ENOENT: "${path}"`)
    return text
  }
  return {
    sep: '/',
    // Paths are not resolved: `..` and a leading `/` match no file of a theme.
    resolve: (_folder, file, extension) => (file.endsWith(extension) ? file : file + extension),
    dirname: (path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))),
    contains: async (_root, path) => has(path),
    containsSync: (_root, path) => has(path),
    exists: async (path) => has(path),
    existsSync: has,
    readFile: async (path) => read(path),
    readFileSync: read,
  }
}
