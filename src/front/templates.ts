// Reads the folder `nginx/` of the program. The templates are the files that people can read there.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programFolder } from '../base/program.ts'
import type { Templates } from './front-options.ts'

/** Opens the templates of this program. @throws Error if the program's folder has none */
export function openTemplates(): Templates {
  const folder = join(programFolder(), 'nginx')
  return (name) => readFileSync(join(folder, name), 'utf8')
}
