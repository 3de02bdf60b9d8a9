// The rows that a commit changed, as far as pages read them. Other processes are told the same: of each row its table, the columns that
// changed, and the values that decide its areas, before and after.

import type { RowChange } from './change.ts'
import { bookkeeping, kinds } from './kinds.ts'
import { type ChangedRow, changedTables, isOnPages, type KnownRow, pageTables } from './page-areas.ts'

/** Beyond this number, the changes of a commit are one change of any row of each table. */
const maxRows = 200

/** None of these columns has text that a purge must remove everywhere. */
const kept: readonly string[] = [...new Set(['status', 'terms', ...Object.values(pageTables).flatMap(({ keys }) => keys)])]

/** Returns the rows that these records changed. */
export function changedRows(records: readonly RowChange[]): readonly ChangedRow[] {
  const shown = records.filter(({ kind }) => isOnPages(kind))
  if (shown.length > maxRows) return changedTables(shown.map(({ kind }) => kinds[kind].area))
  return shown.map(changedRow)
}

function changedRow({ kind, before, after, rows }: RowChange): ChangedRow {
  const { table } = kinds[kind]
  if (before === null || after === null) return { table, before: before && shortened(before), after: after && shortened(after) }
  const columns = rows ? differing(rows.before, rows.after) : Object.keys(after)
  return {
    table,
    columns: [...columns, ...bookkeeping],
    before: shortened(rows?.before ?? {}),
    after: shortened(rows?.after ?? {}),
  }
}

/** From the whole rows, because the record of an autosave may be that of several saves. */
const differing = (before: KnownRow, after: KnownRow): readonly string[] =>
  Object.keys(after).filter((column) => before[column] !== after[column])

function shortened(row: KnownRow): KnownRow {
  const short: Record<string, unknown> = {}
  for (const column of kept) if (row[column] !== undefined) short[column] = row[column]
  return short
}
