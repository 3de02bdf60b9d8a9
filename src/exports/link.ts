// The ids of exports in signed links to files: the format, its archive, and the tier of who asked for it.

import type { Tier } from '../identity/caller.ts'
import { type ExportArchive, exportArchives, type ExportFormat, isExportFormat } from './formats.ts'

export interface ExportAsked {
  readonly format: ExportFormat
  readonly archive: ExportArchive
  readonly tier: Tier
}

const mark = 'export:'

export const exportId = ({ format, archive, tier }: ExportAsked): string => `${mark}${format}:${archive}:${tier}`

/** Returns what a link exports; undefined for a link to something else. */
export function exportOfId(id: string): ExportAsked | undefined {
  if (!id.startsWith(mark)) return undefined
  const [format = '', archive = '', tier = ''] = id.slice(mark.length).split(':')
  if (!isExportFormat(format) || !Object.hasOwn(exportArchives, archive)) return undefined
  return { format, archive: archive as ExportArchive, tier: tier as Tier }
}
