// The table of formats that can be imported. The first that recognises the files reads them. A reader is loaded when it is needed,
// because a start needs none.

import { Failure } from '../base/failure.ts'
import type { ImportFormat } from './import-format.ts'
import type { SourceFiles } from './source-files.ts'

interface KnownFormat extends Pick<ImportFormat, 'name'> {
  /** A sentence for people about what can be imported by it. */
  readonly summary: string
  load(): Promise<ImportFormat>
}

export const importFormats: readonly KnownFormat[] = [
  {
    name: 'postern',
    summary: 'Postern: a zip of `SVC_Export.run` or `postern export`. It comes back as it was, with types, terms and settings.',
    load: async () => (await import('./own-export.ts')).ownFormat,
  },
  {
    name: 'wxr',
    summary:
      'WordPress: the file of Tools → Export, several of them, or a zip; with the folder wp-content/uploads if you have it.',
    load: async () => (await import('./readers/wxr/wxr.ts')).wxrFormat,
  },
  {
    name: 'ghost',
    summary:
      'Ghost: the JSON file of its export, better in a zip with the folder content, redirects.json, routes.yaml and the members.',
    load: async () => (await import('./readers/ghost/ghost.ts')).ghostFormat,
  },
  {
    name: 'csv',
    summary: 'A table (CSV): a row for each entry of a type, columns named as its fields, or mapped to them by `map`.',
    load: async () => (await import('./readers/csv.ts')).csvFormat,
  },
  {
    name: 'markdown',
    summary: 'A folder of Markdown, or a zip or tar of it: Jekyll, Hugo, Zola, Eleventy, Astro, Obsidian, or plain files.',
    load: async () => (await import('./readers/trees/trees.ts')).treeFormat,
  },
  {
    name: 'rss',
    summary: 'A feed (RSS or Atom), if there is no export: the newest posts, as far as the feed has their texts.',
    load: async () => (await import('./readers/rss.ts')).rssFormat,
  },
]

/**
 * Finds the format of files.
 * @param name a format by name, or undefined to recognise it
 * @throws Failure `unprocessable` for files of no known format
 */
export async function findFormat(files: SourceFiles, name?: string): Promise<ImportFormat> {
  const named = importFormats.find((one) => one.name === name)
  if (named) return named.load()
  for (const known of importFormats) {
    const format = await known.load()
    if (await format.recognises(files)) return format
  }
  throw new Failure('unprocessable', `Nothing in ${JSON.stringify(files.name)} is in a format that can be imported.`, {
    hint: `The formats are ${importFormats.map((one) => one.name).join(', ')}.`,
  })
}
