// The columns of a row that a change touches.

import type { AnyRow } from './change.ts'
import { bookkeeping } from './kinds.ts'

/** The columns that a patch changes, without those that count writes. */
export function differing(before: AnyRow, patch: AnyRow): string[] {
  return Object.keys(patch).filter(
    (column) => !bookkeeping.has(column) && patch[column] !== undefined && patch[column] !== before[column],
  )
}

/** A row with some of its columns. */
export function pick(row: AnyRow, columns: readonly string[]): Record<string, string | number | null> {
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))
}

/** The revision of a row; null for a kind without revisions. */
export const revisionOf = (row: AnyRow): number | null => (typeof row['revision'] === 'number' ? row['revision'] : null)
