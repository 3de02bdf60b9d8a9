// Opens what somebody imports: a placeholder for one file and for a folder.

import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Failure } from '../../base/failure.ts'
import { unlessMissing } from '../../base/missing.ts'
import type { SourceFiles } from '../source-files.ts'

export async function openSource(path: string, _staging: string): Promise<SourceFiles> {
  const found = await unlessMissing(stat(path))
  if (!found) throw new Failure('not_found', `There is no file ${JSON.stringify(path)}.`)
  const sizes = new Map<string, number>()
  if (found.isDirectory())
    for (const name of (await readdir(path, { recursive: true })).sort()) {
      const one = await stat(join(path, name))
      if (one.isFile()) sizes.set(name, one.size)
    }
  else sizes.set(basename(path), found.size)
  return {
    name: basename(path),
    sizes,
    leftOut: [],
    open: (name) => createReadStream(found.isDirectory() ? join(path, name) : path),
    close: () => Promise.resolve(),
  }
}
