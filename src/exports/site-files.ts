// Everything of a site as files: its entries and media, and the structure around them. No file tells when it was made, so that the
// same site makes the same files.

import { stringify } from 'yaml'
import { entryFiles } from './entry-files.ts'
import type { ExportFiles } from './export-file.ts'
import { keptPeopleFiles } from './kept-people-files.ts'
import type { ExportParts } from './make-files.ts'
import { markName } from '../base/export-mark.ts'
import { mediaFiles } from './media-files.ts'
import { oldAddressFiles } from './old-address-files.ts'
import { structureFiles } from './structure-files.ts'

/** The version of the form of these files. */
const formVersion = 1

/** Yields the files in the order in which they can be read back. */
export async function* siteFiles(parts: ExportParts): ExportFiles {
  const { settings, origin } = parts
  const about = { postern: formVersion, title: settings.site_title, language: settings.language, url: origin }
  yield { path: markName, content: { text: stringify(about) } }
  yield* structureFiles(parts)
  yield* entryFiles(parts, true)
  yield* mediaFiles({ ...parts, withProtected: true })
  yield* oldAddressFiles(parts)
  yield* keptPeopleFiles(parts)
}
