// The formats of an export, one row each. Their files are made in `make-files.ts`, which is loaded late.

import type { Tier } from '../identity/caller.ts'
import { createLate } from '../base/late.ts'

interface Format {
  /** The least tier that may have it. */
  readonly tier: Tier
  /** The name of the download. */
  readonly filename: string
  readonly kind: string
  readonly help: string
}

export const exportFormats = {
  postern: {
    tier: 'admin',
    filename: 'site.zip',
    kind: 'application/zip',
    help: 'everything as files, which `postern import` takes back',
  },
  markdown: {
    tier: 'read',
    filename: 'markdown.zip',
    kind: 'application/zip',
    help: 'entries as Markdown files, with their types and terms and the media library, which `postern import` takes back',
  },
  csv: {
    tier: 'read',
    filename: 'entries.csv',
    kind: 'text/csv',
    help: 'entries as a table',
  },
  wxr: {
    tier: 'read',
    filename: 'wordpress.xml',
    kind: 'application/xml',
    help: 'a file that WordPress imports',
  },
  static: {
    tier: 'read',
    filename: 'static.zip',
    kind: 'application/zip',
    help: 'the public pages as plain files for any web server',
  },
} as const satisfies Readonly<Record<string, Format>>

export type ExportFormat = keyof typeof exportFormats

export const isExportFormat = (name: string): name is ExportFormat => Object.hasOwn(exportFormats, name)

/** The archives that formats of many files come in. The first is the usual one. */
export const exportArchives = {
  zip: { ending: '.zip', kind: 'application/zip' },
  tar: { ending: '.tar', kind: 'application/x-tar' },
} as const

export type ExportArchive = keyof typeof exportArchives

const archiveNames = Object.keys(exportArchives) as ExportArchive[]

export const isArchived = (format: ExportFormat): boolean => exportFormats[format].filename.endsWith(exportArchives.zip.ending)

/** The name and kind of a download of a format. A format of one file is that file, whatever the archive. */
export function downloadOf(format: ExportFormat, archive: ExportArchive): { readonly filename: string; readonly kind: string } {
  const { filename, kind } = exportFormats[format]
  if (!isArchived(format)) return { filename, kind }
  const { ending, kind: archiveKind } = exportArchives[archive]
  return { filename: filename.slice(0, -exportArchives.zip.ending.length) + ending, kind: archiveKind }
}

/** The archive that a file name means for a format; undefined for a name that means a folder. */
export const archiveNamed = (name: string, format: ExportFormat): ExportArchive | undefined =>
  archiveNames.find((archive) => {
    const { filename } = downloadOf(format, archive)
    return name.toLowerCase().endsWith(filename.slice(filename.lastIndexOf('.')))
  })

/** The module that makes the files. It loads parsers that few requests need. */
export const makingFiles = createLate(() => import('./make-files.ts'))
