// The pictures and other files of a Ghost site. An export has none, but the folder `content` may lie beside it; what texts show
// and the folder does not have can be fetched.

import type { ImportMedia } from '../../stream.ts'
import type { SourceFiles } from '../../source-files.ts'
import { cell, type GhostTables } from './tables.ts'

/** Such a path anywhere in a text. */
const everywhere = /(?<![\w-])(content\/(?:images|media|files)\/(?!size\/)[^"'()\s?#\\<>&]{1,500})/g

/** The path of a file from `content` on. Variants in another size lie below `size`. */
const filePath = /(?:^|\/)(content\/(?:images|media|files)\/(?!size\/)[^"'()\s?#\\<>&]{1,500})/

export function* readFiles(files: SourceFiles, tables: GhostTables): Generator<ImportMedia> {
  const there = new Map<string, string>()
  for (const path of files.sizes.keys()) {
    const below = filePath.exec(path)?.[1]
    if (below !== undefined && !/_o\.\w+$/.test(below)) there.set(below, path)
  }
  for (const [below, path] of there) yield mediaOf(below, path)
  const named = new Set(there.keys())
  for (const below of shownFiles(tables))
    if (!named.has(below)) {
      named.add(below)
      yield mediaOf(below, undefined)
    }
}

const mediaOf = (below: string, path: string | undefined): ImportMedia => ({
  kind: 'media',
  id: below,
  address: `/${below}`,
  path,
  filename: decodeName(below.slice(below.lastIndexOf('/') + 1)),
  addresses: [],
})

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Yields the files that texts, covers, profiles and settings show. */
function* shownFiles({ rows, settings }: GhostTables): Generator<string> {
  for (const post of rows.posts)
    for (const text of [cell(post, 'html'), cell(post, 'feature_image')])
      for (const [, below = ''] of text.matchAll(everywhere)) yield below
  const others = [...rows.users.map((row) => cell(row, 'profile_image') || cell(row, 'image')), ...settings.values()]
  for (const text of others) for (const [, below = ''] of text.matchAll(everywhere)) yield below
}
