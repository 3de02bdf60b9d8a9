// The files of the fonts, which the build copies next to the program. They are read once.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workerFile } from '../base/worker-file.ts'

let files: ReadonlyMap<string, Buffer> | undefined
let folder: string | undefined

/** The fonts by the names of their files. */
export function fontFiles(): ReadonlyMap<string, Buffer> {
  if (files) return files
  const place = fileURLToPath(workerFile('themes/fonts', import.meta.url))
  const names = readdirSync(place).filter((name) => name.endsWith('.woff2'))
  return (files = new Map(names.sort().map((name) => [name, readFileSync(join(place, name))])))
}

/** The folder above that of the fonts. The folder of a theme ends in a hyphen and a hash, so none is this one. */
export const fontFolderStart = '/assets/fonts/'

/** The path of the fonts below the site's base path. It changes with every change of a file. */
export function fontFolder(): string {
  if (folder !== undefined) return folder
  const hash = createHash('sha256')
  for (const [name, bytes] of fontFiles()) hash.update(`${name}\0${bytes.length}\0`).update(bytes)
  return (folder = fontFolderStart + hash.digest('hex').slice(0, 12))
}
