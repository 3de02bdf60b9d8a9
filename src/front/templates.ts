// Reads the folder `nginx/` of the program. The templates are the files that people can read there.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Templates } from './front-options.ts'

/** The templates of this program. @throws Error where the program's folder has none */
export function openTemplates(): Templates {
  const folder = join(programFolder(), 'nginx')
  return (name) => readFileSync(join(folder, name), 'utf8')
}

/** The folder with package.json, wherever the bundle lies below it. */
export function programFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder)
    if (above === folder) throw new Error('The folder of the program, with its package.json and nginx/, is not above its code.')
    folder = above
  }
  return folder
}
