// The table of formats that can be imported. The first that recognises the files reads them.

import { Failure } from '../base/failure.ts'
import type { ImportFormat } from './import-format.ts'
import { csvFormat } from './readers/csv.ts'
import { ghostFormat } from './readers/ghost/ghost.ts'
import { rssFormat } from './readers/rss.ts'
import { treeFormat } from './readers/trees/trees.ts'
import { wxrFormat } from './readers/wxr/wxr.ts'
import type { SourceFiles } from './source-files.ts'

export const importFormats: readonly ImportFormat[] = [wxrFormat, ghostFormat, csvFormat, treeFormat, rssFormat]

/**
 * Finds the format of files.
 * @param name a format by name, or undefined to recognise it
 * @throws Failure `unprocessable` for files of no known format
 */
export async function findFormat(files: SourceFiles, name?: string): Promise<ImportFormat> {
  const named = importFormats.find((one) => one.name === name)
  if (named) return named
  for (const format of importFormats) if (await format.recognises(files)) return format
  throw new Failure('unprocessable', `Nothing in ${JSON.stringify(files.name)} is in a format that can be imported.`, {
    hint: `The formats are ${importFormats.map((one) => one.name).join(', ')}.`,
  })
}
