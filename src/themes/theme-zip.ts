// A theme as a zip, which SVC_Themes.create takes back byte for byte.

import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { bytesOf, type Theme } from './theme.ts'

/** The prefix of the ids of themes in signed links to files. */
export const themeMark = 'theme:'

/** Any date: the same theme makes the same bytes. */
const mtime = new Date('2000-01-01T12:00:00Z')

/** Returns the zip of a theme's own files. Those of its base are not in it. */
export function zipOf({ own }: Pick<Theme, 'own'>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [path, text] of [...own].sort(([a], [b]) => (a < b ? -1 : 1))) zip.addBuffer(bytesOf(path, text), path, { mtime })
  zip.end()
  return buffer(zip.outputStream)
}
