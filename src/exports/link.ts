// The ids of exports in signed links to files: the format, and the tier of who asked for it.

import type { Tier } from '../identity/caller.ts'
import { type ExportFormat, isExportFormat } from './formats.ts'

const mark = 'export:'

export const exportId = (format: ExportFormat, tier: Tier): string => `${mark}${format}:${tier}`

/** Returns what a link exports; undefined for a link to something else. */
export function exportOfId(id: string): { readonly format: ExportFormat; readonly tier: Tier } | undefined {
  if (!id.startsWith(mark)) return undefined
  const [format = '', tier = ''] = id.slice(mark.length).split(':')
  return isExportFormat(format) ? { format, tier: tier as Tier } : undefined
}
