// The ids of exports in signed links to files: the format, its archive, and the tier of the caller.

import type { Tier } from '../identity/caller.ts'
import { type ExportArchive, type ExportFormat, isExportArchive, isExportFormat } from './formats.ts'

export interface ExportRequest {
  readonly format: ExportFormat
  readonly archive: ExportArchive
  readonly tier: Tier
}

const mark = 'export:'

export const exportId = ({ format, archive, tier }: ExportRequest): string => `${mark}${format}:${archive}:${tier}`

/** Returns what a link exports; undefined for a link to something else. */
export function exportOfId(id: string): ExportRequest | undefined {
  if (!id.startsWith(mark)) return undefined
  const [format = '', archive = '', tier = ''] = id.slice(mark.length).split(':')
  return isExportFormat(format) && isExportArchive(archive) ? { format, archive, tier: tier as Tier } : undefined
}
