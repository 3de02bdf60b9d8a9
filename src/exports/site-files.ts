// Everything of a site as files: its entries and media, and the structure around them. No file tells when it was made, so that the
// same site makes the same files.

import { stringify } from 'yaml'
import { commentFiles } from './comment-files.ts'
import { entryFiles } from './entry-files.ts'
import type { ExportFiles } from './export-file.ts'
import { keptPeopleFiles } from './kept-people-files.ts'
import type { ExportParts } from './make-files.ts'
import { markName } from '../base/export-mark.ts'
import { mediaFiles } from './media-files.ts'
import { oldAddressFiles } from './old-address-files.ts'
import { subscriberFiles } from './subscriber-files.ts'
import { structureFiles, typeFiles } from './structure-files.ts'

/** The version of the form of these files. */
const formVersion = 1

const markOf = ({ settings, origin }: ExportParts) => ({
  postern: formVersion,
  title: settings.site_title,
  language: settings.language,
  url: origin,
})

/** Yields entries and media, and the types and terms without which they could not come back. */
export async function* contentFiles(parts: ExportParts): ExportFiles {
  const { languages } = parts.settings
  const mark = { ...markOf(parts), holds: 'entries', ...(languages.length > 0 && { languages }) }
  yield { path: markName, content: { text: stringify(mark) } }
  yield* typeFiles(parts)
  yield* entryFiles(parts, false)
  yield* mediaFiles({ ...parts, withProtected: false })
}

/** Yields the files in the order in which they can be read back. */
export async function* siteFiles(parts: ExportParts): ExportFiles {
  yield { path: markName, content: { text: stringify(markOf(parts)) } }
  yield* structureFiles(parts)
  yield* entryFiles(parts, true)
  yield* mediaFiles({ ...parts, withProtected: true })
  yield* oldAddressFiles(parts)
  yield* commentFiles(parts)
  yield* keptPeopleFiles(parts)
  yield* subscriberFiles(parts)
}
