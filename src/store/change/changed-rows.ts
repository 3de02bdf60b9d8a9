// The changed rows of a commit that pages read. Other processes get the same data: for each row its table, the changed columns, and
// the values before and after that decide its areas.

import type { RowChange } from './change.ts'
import { bookkeeping, kinds } from './kinds.ts'
import { type ChangedRow, changedTables, isOnPages, type KnownRow, pageTables } from './page-areas.ts'

/** The most changed rows of a commit. Beyond this number, the commit counts as a change of all rows of each table. */
const maxRows = 200

/** The columns whose values are stored. None has text that a purge must remove everywhere. */
const kept: readonly string[] = [...new Set(['status', 'terms', ...Object.values(pageTables).flatMap(({ keys }) => keys)])]

export function changedRows(records: readonly RowChange[]): readonly ChangedRow[] {
  const shown = records.filter(({ kind }) => isOnPages(kind))
  if (shown.length > maxRows) return changedTables(shown.map(({ kind }) => kinds[kind].area))
  return shown.map(changedRow)
}

function changedRow({ kind, before, after, rows }: RowChange): ChangedRow {
  const { table } = kinds[kind]
  if (before === null || after === null) return { table, before: before && pickKept(before), after: after && pickKept(after) }
  const columns = rows ? differing(rows.before, rows.after) : Object.keys(after)
  return {
    table,
    columns: [...columns, ...bookkeeping],
    before: pickKept(rows?.before ?? {}),
    after: pickKept(rows?.after ?? {}),
  }
}

/** Compares the whole rows, because the record of an autosave may cover several saves. */
const differing = (before: KnownRow, after: KnownRow): readonly string[] =>
  Object.keys(after).filter((column) => before[column] !== after[column])

function pickKept(row: KnownRow): KnownRow {
  const short: Record<string, unknown> = {}
  for (const column of kept) if (row[column] !== undefined) short[column] = row[column]
  return short
}
