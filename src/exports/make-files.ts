// The files of each format of an export.

import type { MediaStore } from '../media/media-store.ts'
import type { Renderer } from '../content/markdown/render.ts'
import { bytesOf } from '../base/bytes-of.ts'
import type { Release } from '../base/release.ts'
import type { SettingValues } from '../settings/definitions.ts'
import { entriesCsv } from './entries-csv.ts'
import type { EntryExportParts } from './entry-files.ts'
import type { ExportFiles } from './export-file.ts'
import { downloadOf, type ExportArchive, type ExportFormat } from './formats.ts'
import { contentFiles, siteFiles } from './site-files.ts'
import { type StaticParts, staticFiles } from './static-site.ts'
import { tarBytes } from './tar.ts'
import { wxrText } from './wxr.ts'
import { zipBytes } from './zip.ts'

export interface ExportParts extends EntryExportParts {
  readonly store: Pick<MediaStore, 'pathOf'>
  readonly renderer: Pick<Renderer, 'render'>
  readonly settings: SettingValues
  readonly release: Release
  /** The origin of links, with the base path, without a slash at the end. */
  readonly origin: string
  readonly look: StaticParts['look']
  readonly isClosed: StaticParts['isClosed']
}

/** Yields the files of a format. */
export const exportFiles = (format: ExportFormat, parts: ExportParts): ExportFiles => makers[format](parts)

const makers: Readonly<Record<ExportFormat, (parts: ExportParts) => ExportFiles>> = {
  postern: siteFiles,
  markdown: contentFiles,
  csv: oneFile('csv'),
  wxr: oneFile('wxr'),
  static: staticFiles,
}

/** The formats of one file, as the pieces of its text. */
const texts = {
  csv: entriesCsv,
  wxr: (parts: ExportParts) => wxrText({ ...parts, forAdmin: parts.caller.tier === 'admin' }),
} as const satisfies Partial<Record<ExportFormat, (parts: ExportParts) => AsyncIterable<string>>>

type TextFormat = keyof typeof texts

const isText = (format: ExportFormat): format is TextFormat => Object.hasOwn(texts, format)

function oneFile(format: TextFormat): (parts: ExportParts) => ExportFiles {
  return async function* (parts) {
    yield { path: downloadOf(format, 'zip').filename, content: { pieces: texts[format](parts) } }
  }
}

const archivers: Readonly<Record<ExportArchive, (files: ExportFiles, signal?: AbortSignal) => AsyncIterable<Uint8Array>>> = {
  zip: zipBytes,
  tar: tarBytes,
}

/** Yields the bytes of the download of a format. A format of one file is that file. */
export function exportBytes(format: ExportFormat, archive: ExportArchive, parts: ExportParts): AsyncIterable<Uint8Array> {
  return isText(format) ? bytesOf(texts[format](parts)) : archivers[archive](exportFiles(format, parts), parts.signal)
}
