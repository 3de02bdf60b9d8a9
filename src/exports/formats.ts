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

/** The module that makes the files. It loads parsers that few requests need. */
export const makingFiles = createLate(() => import('./make-files.ts'))
