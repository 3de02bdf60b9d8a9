// The files of each format of an export.

import type { MediaStore } from '../media/media-store.ts'
import type { Renderer } from '../content/markdown/render.ts'
import type { Release } from '../base/release.ts'
import type { SettingValues } from '../settings/definitions.ts'
import { entriesCsv } from './entries-csv.ts'
import { entryFiles, type EntryExportParts } from './entry-files.ts'
import type { ExportFiles } from './export-file.ts'
import { type ExportFormat, exportFormats } from './formats.ts'
import { mediaFiles } from './media-files.ts'
import { siteFiles } from './site-files.ts'
import { type StaticParts, staticFiles } from './static-site.ts'
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
}

/** Yields the files of a format. */
export const exportFiles = (format: ExportFormat, parts: ExportParts): ExportFiles => makers[format](parts)

const makers: Readonly<Record<ExportFormat, (parts: ExportParts) => ExportFiles>> = {
  postern: siteFiles,
  markdown: markdownFiles,
  csv: (parts) => entriesCsv(parts, parts.origin),
  wxr: wxrFile,
  static: staticFiles,
}

async function* markdownFiles(parts: ExportParts): ExportFiles {
  yield* entryFiles(parts, false)
  yield* mediaFiles({ ...parts, withProtected: false })
}

async function* wxrFile(parts: ExportParts): ExportFiles {
  const { settings, caller } = parts
  const withProtected = caller.tier === 'admin'
  const about = { title: settings.site_title, tagline: settings.site_tagline, language: settings.language, withProtected }
  yield { path: exportFormats.wxr.filename, content: { pieces: wxrText({ ...parts, ...about }) } }
}

/** Yields the bytes of the download of a format. A format of one file is that file. */
export function exportBytes(format: ExportFormat, parts: ExportParts): AsyncIterable<Uint8Array> {
  const files = exportFiles(format, parts)
  return exportFormats[format].kind === 'application/zip' ? zipBytes(files) : onlyFile(files)
}

async function* onlyFile(files: ExportFiles): AsyncGenerator<Uint8Array> {
  for await (const { content } of files) {
    if ('text' in content) yield Buffer.from(content.text)
    else if ('pieces' in content) for await (const piece of content.pieces) yield Buffer.from(piece)
  }
}
