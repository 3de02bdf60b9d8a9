// The changes of commits, for values that remember what they read: of each row its table, the columns that changed, and what is
// known of the row before and after.

import type { RowChange } from './change.ts'
import { termIdsOf } from './entry-terms.ts'
import { type Area, bookkeeping, type Kind, kinds } from './kinds.ts'
import type { DerivedTable, TableRead } from './query-reads.ts'
import type { KnownRow } from './row-test.ts'

export interface ChangedRow {
  readonly table: string
  /** Absent for a row that was added or removed, and where it isn't known. */
  readonly columns?: readonly string[]
  /** Null if there was, or is, no such row. */
  readonly before: KnownRow | null
  readonly after: KnownRow | null
}

/** Beyond this number, the changes of a commit are one change of any row of each table. */
const maxRows = 200

/**
 * The columns that the conditions of pages are about. Of any other column the values are not kept, so a condition about one may always be met.
 * None of them has text that a purge must remove everywhere.
 */
const kept: readonly string[] = [
  'id',
  'path',
  'slug',
  'type',
  'status',
  'locale',
  'parent_id',
  'author_id',
  'translation_of',
  'terms',
  'published_at',
  'public',
  'disabled',
  'entry_id',
  'media_id',
  'source',
  'location',
  'ref',
  'taxonomy',
]

/** Returns the rows that these records changed. */
export function changedRows(records: readonly RowChange[]): readonly ChangedRow[] {
  if (records.length > maxRows) return anyRows(new Set(records.map(({ kind }) => kind)))
  return records.map(changedRow)
}

/** Tables that are written in commits that name an area and have no record. */
const unrecorded: Readonly<Record<string, Area>> = { media_picture: 'content' }

/** Stands for whatever may have changed in the tables of these areas. */
export function changedAreas(areas: readonly Area[]): readonly ChangedRow[] {
  const others = Object.keys(unrecorded).filter((table) => areas.some((area) => area === unrecorded[table]))
  const changed = (Object.keys(kinds) as Kind[]).filter((kind) => areas.includes(kinds[kind].area))
  return [...anyRows(changed), ...others.map(anyRow)]
}

const anyRows = (changed: Iterable<Kind>): readonly ChangedRow[] => [...new Set([...changed].map(tableOf))].map(anyRow)

const anyRow = (table: string): ChangedRow => ({ table, before: {}, after: {} })

function changedRow({ kind, before, after, rows }: RowChange): ChangedRow {
  const isUpdate = kind === 'entry_pending' || (before !== null && after !== null)
  const columns = rows ? differing(rows.before, rows.after) : Object.keys(after ?? {})
  return {
    table: tableOf(kind),
    ...(isUpdate && { columns: [...columns, ...bookkeeping] }),
    before: isUpdate ? shortened(rows?.before ?? {}) : before && shortened(before),
    after: isUpdate ? shortened(rows?.after ?? {}) : after && shortened(after),
  }
}

/** From the whole rows, because the record of an autosave may be that of several saves. */
const differing = (before: KnownRow, after: KnownRow): readonly string[] =>
  Object.keys(after).filter((column) => before[column] !== after[column])

/** Staged changes of an entry are shown to nobody, but count as a revision of the entry. */
const tableOf = (kind: Kind): string => kinds[kind === 'entry_pending' ? 'entry' : kind].table

function shortened(row: KnownRow): KnownRow {
  const short: Record<string, unknown> = {}
  for (const column of kept) if (row[column] !== undefined) short[column] = row[column]
  return short
}

/** True if a change may concern a value that read these rows. */
export function mayConcern({ columns, mayRead }: TableRead, change: ChangedRow): boolean {
  if (columns && change.columns && !change.columns.some((column) => columns.has(column))) return false
  if (!mayRead) return true
  return (change.before !== null && mayRead(change.before)) || (change.after !== null && mayRead(change.after))
}

const changedTables: ReadonlySet<string> = new Set([...(Object.keys(kinds) as Kind[]).map(tableOf), ...Object.keys(unrecorded)])

/** True if all changes of a table are recorded. */
export const isChangedTable = (table: string): boolean => changedTables.has(table)

/** The tables that follow from others. @param withAbove adds the terms above to the ids of terms */
export const derivedTables = (
  withAbove: (ids: readonly string[]) => readonly string[],
): Readonly<Record<string, DerivedTable>> => ({
  entry_term: {
    from: 'entry',
    key: 'entry_id',
    columns: new Set(['id', 'terms', 'status', 'published_at']),
    also: [{ table: 'term', columns: new Set(['parent_id']) }],
    rows({ id, terms, status, published_at }) {
      if (typeof terms !== 'string') return undefined
      const shared = { entry_id: id, status, published_at: published_at ?? 0 }
      return withAbove(termIdsOf(terms)).map((term) => ({ ...shared, term_id: term }))
    },
  },
  entry_value: { from: 'entry' },
  media_use: { from: 'entry' },
  menu_reference: { from: 'menu' },
})
