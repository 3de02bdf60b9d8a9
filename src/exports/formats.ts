// The formats of an export, one row each. Their files are made in `make-files.ts`, which is loaded late.

import type { Tier } from '../identity/caller.ts'
import { createLate } from '../base/late.ts'

/** A kind of file that an export comes in. */
interface FileKind {
  readonly ending: string
  readonly kind: string
}

interface Format {
  /** The least tier that may have it. */
  readonly tier: Tier
  /** The name of the download, without its ending. */
  readonly name: string
  /** The one file of the format; absent for many files, which come in an archive. */
  readonly file?: FileKind
  readonly help: string
}

export const exportFormats = {
  postern: {
    tier: 'admin',
    name: 'site',
    help: 'everything as files, which `postern import` takes back',
  },
  markdown: {
    tier: 'read',
    name: 'markdown',
    help: 'entries as Markdown files, with their types and terms and the media library, which `postern import` takes back',
  },
  csv: {
    tier: 'read',
    name: 'entries',
    file: { ending: '.csv', kind: 'text/csv' },
    help: 'entries as a table',
  },
  wxr: {
    tier: 'read',
    name: 'wordpress',
    file: { ending: '.xml', kind: 'application/xml' },
    help: 'a file that WordPress imports',
  },
  static: {
    tier: 'read',
    name: 'static',
    help: 'the public pages as plain files for any web server',
  },
} as const satisfies Readonly<Record<string, Format>>

export type ExportFormat = keyof typeof exportFormats

export const isExportFormat = (name: string): name is ExportFormat => Object.hasOwn(exportFormats, name)

/** The archives that formats of many files come in. */
export const exportArchives = {
  zip: { ending: '.zip', kind: 'application/zip' },
  tar: { ending: '.tar', kind: 'application/x-tar' },
} as const satisfies Readonly<Record<string, FileKind>>

export type ExportArchive = keyof typeof exportArchives

export const isExportArchive = (name: string): name is ExportArchive => Object.hasOwn(exportArchives, name)

const fileOf = (format: ExportFormat): FileKind | undefined => (exportFormats[format] as Format).file

export const isOneFile = (format: ExportFormat): boolean => fileOf(format) !== undefined

/** The download of a format. A format of one file is that file, whatever the archive. */
export function downloadOf(format: ExportFormat, archive: ExportArchive): { readonly filename: string; readonly kind: string } {
  const { ending, kind } = fileOf(format) ?? exportArchives[archive]
  return { filename: exportFormats[format].name + ending, kind }
}

/** The endings of the files that a format comes in. */
export const endingsOf = (format: ExportFormat): readonly string[] =>
  [fileOf(format) ?? Object.values(exportArchives)].flat().map(({ ending }) => ending)

/** The archive that the ending of a name means; `zip` for one that means none. */
export const archiveNamed = (name: string): ExportArchive =>
  (Object.keys(exportArchives) as ExportArchive[]).find((archive) => name.endsWith(exportArchives[archive].ending)) ?? 'zip'

/** The module that makes the files. It loads parsers that few requests need. */
export const makingFiles = createLate(() => import('./make-files.ts'))
