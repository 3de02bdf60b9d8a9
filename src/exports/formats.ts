// The formats of an export, one row each: who may have it, and its files.

import type { Tier } from '../identity/caller.ts'
import type { MediaStore } from '../media/media-store.ts'
import type { Renderer } from '../content/markdown/render.ts'
import type { Release } from '../base/release.ts'
import type { SettingValues } from '../settings/definitions.ts'
import { entriesCsv } from './entries-csv.ts'
import { entryFiles, type EntryExportParts } from './entry-files.ts'
import type { ExportFiles } from './export-file.ts'
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

interface Format {
  /** The least tier that may have it. */
  readonly tier: Tier
  /** The name of the download. */
  readonly filename: string
  readonly kind: string
  readonly help: string
  files(parts: ExportParts): ExportFiles
}

export const exportFormats = {
  postern: {
    tier: 'admin',
    filename: 'site.zip',
    kind: 'application/zip',
    help: 'everything as files, which `postern import` takes back',
    files: siteFiles,
  },
  markdown: {
    tier: 'read',
    filename: 'markdown.zip',
    kind: 'application/zip',
    help: 'entries as Markdown files, with the media library',
    files: markdownFiles,
  },
  csv: {
    tier: 'read',
    filename: 'entries.csv',
    kind: 'text/csv',
    help: 'entries as a table',
    files: (parts) => entriesCsv(parts, parts.origin),
  },
  wxr: {
    tier: 'read',
    filename: 'wordpress.xml',
    kind: 'application/xml',
    help: 'a file that WordPress imports',
    files: wxrFile,
  },
  static: {
    tier: 'read',
    filename: 'static.zip',
    kind: 'application/zip',
    help: 'the public pages as plain files for any web server',
    files: staticFiles,
  },
} as const satisfies Readonly<Record<string, Format>>

export type ExportFormat = keyof typeof exportFormats

export const isExportFormat = (name: string): name is ExportFormat => Object.hasOwn(exportFormats, name)

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
  const { kind, files } = exportFormats[format]
  return kind === 'application/zip' ? zipBytes(files(parts)) : onlyFile(files(parts))
}

async function* onlyFile(files: ExportFiles): AsyncGenerator<Uint8Array> {
  for await (const { content } of files) {
    if ('text' in content) yield Buffer.from(content.text)
    else if ('pieces' in content) for await (const piece of content.pieces) yield Buffer.from(piece)
  }
}
