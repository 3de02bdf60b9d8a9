// A theme as a zip, which SVC_Themes.create takes back byte for byte.

import { buffer } from 'node:stream/consumers'
import { type ZipMember, zipBytesOf } from '../base/zip-bytes.ts'
import { bytesOf, type Theme } from './theme.ts'

/** The prefix of the ids of themes in signed links to files. */
export const themeMark = 'theme:'

/** Returns the zip of a theme's own files. Those of its base are not in it. */
export const zipOf = ({ own }: Pick<Theme, 'own'>): Promise<Buffer> => buffer(zipBytesOf(membersOf(own)))

async function* membersOf(own: Theme['own']): AsyncGenerator<ZipMember> {
  for (const [path, text] of [...own].sort(([a], [b]) => (a < b ? -1 : 1)))
    yield { name: path, content: bytesOf(path, text), compress: true }
}
