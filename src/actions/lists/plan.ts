// Chooses how the rows of a list are found, so that a page costs about the same however many rows there are:
//
// - `walk`: the rows are read in the order of the list, along an index, and the other conditions are tested on each row;
// - `few`: one condition finds at most 1,000 rows by its index, and these are sorted.
//
// Conditions that must not decide which index is used are hidden from the database, because SQLite does not know how many rows have
// a value.

import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Db } from '../../store/core/database.ts'
import type { ListField } from './field.ts'
import type { WherePart } from './where-part.ts'

type Condition = RawBuilder<SqlBool>

/** The most rows that are sorted. */
const maxSorted = 1000

export interface ListPlan {
  readonly way: 'walk' | 'few'
  /** The conditions that use an index. On a walk, one index serves all of them and has the order of the list. */
  readonly found: readonly WherePart[]
  /** The column before the sorted one in the index of a walk. */
  readonly ahead: string | undefined
  /** The values of the sorted column that `found` allows: all, a range, or one. */
  readonly values: 'all' | 'range' | 'one'
  /** The other conditions, in the form without an index. */
  readonly tested: readonly Condition[]
  /** True if most rows may fail a tested condition, so that a walk may read many rows for a page. */
  readonly sparse: boolean
}

interface Asked {
  readonly table: string
  /** The unique column of the table. */
  readonly key: string
  readonly sort: ListField
  readonly parts: readonly WherePart[]
}

/** Chooses a plan. It counts up to `maxSorted` rows for each index that serves a condition, unless there is only one choice. */
export async function planList(db: Db, { table, key, sort, parts }: Asked): Promise<ListPlan> {
  const ofKey = parts.find(({ field, finds }) => field?.indexed && field.column === key && (finds === 'one' || finds === 'list'))
  if (ofKey) return planOf('few', sort, parts, [ofKey])
  const served = servedBy(sort, parts)
  const others = parts.filter((part) => !served.includes(part) && part.finds !== 'none' && part.field?.indexed)
  if (others.length === 0) return planOf('walk', sort, parts, served)
  const choices = [...(served.length > 0 ? [served] : []), ...others.map((part) => [part])]
  const counts = await countEach(db, table, choices)
  const fewest = Math.min(...counts)
  return fewest <= maxSorted ? planOf('few', sort, parts, choices[counts.indexOf(fewest)]) : planOf('walk', sort, parts, served)
}

/** Returns a plan without an index for any condition. */
export const testAll = (parts: readonly WherePart[]): ListPlan => ({
  way: 'few',
  found: [],
  ahead: undefined,
  values: 'all',
  tested: parts.map(({ hidden }) => hidden),
  sparse: parts.some(({ excludes }) => !excludes),
})

/**
 * Returns the conditions that one index in the order of the list serves: one value of a column before the sorted one, and one value
 * or both ends of a range of the sorted column. The database must not test rows to find the start of a range.
 */
function servedBy(sort: ListField, parts: readonly WherePart[]): readonly WherePart[] {
  const sorted = parts.filter(({ field }) => field !== undefined && isSame(field, sort))
  const one = sorted.find(({ finds }) => finds === 'one')
  const ends = (['lower', 'upper'] as const).flatMap((end) => sorted.find(({ bound }) => bound === end) ?? [])
  const ahead = parts.find(({ field, finds }) => finds === 'one' && isAhead(field, sort))
  return [...(ahead ? [ahead] : []), ...(one ? [one] : ends)]
}

const isSame = (field: ListField, sort: ListField): boolean => field.column === sort.column && field.beside === sort.beside

/** True if the index of a field has the rows of one value in the order of another field. */
const isAhead = (field: ListField | undefined, sort: ListField): boolean =>
  sort.beside === undefined && field?.ordered?.includes(sort.column) === true

function planOf(way: ListPlan['way'], sort: ListField, parts: readonly WherePart[], found: readonly WherePart[] = []): ListPlan {
  const others = parts.filter((part) => !found.includes(part))
  const ofSort = found.find(({ field }) => field !== undefined && isSame(field, sort))
  return {
    way,
    found,
    ahead: way === 'walk' ? found.find(({ field }) => isAhead(field, sort))?.field?.column : undefined,
    values: ofSort === undefined ? 'all' : ofSort.finds === 'one' ? 'one' : 'range',
    tested: others.map(({ hidden }) => hidden),
    sparse: others.some(({ excludes }) => !excludes),
  }
}

async function countEach(db: Db, table: string, choices: readonly (readonly WherePart[])[]): Promise<readonly number[]> {
  const counts = choices.map(
    (parts, place) =>
      sql`(select count(*) from (${rowsOf(table, parts)} limit ${maxSorted + 1}) as counted) as ${sql.ref(`c${place}`)}`,
  )
  const { rows } = await sql<Record<string, number | string>>`select ${sql.join(counts)}`.execute(db)
  return choices.map((_parts, place) => Number(rows[0]?.[`c${place}`] ?? 0))
}

/** Returns the rows that meet conditions of one index. */
function rowsOf(table: string, parts: readonly WherePart[]): RawBuilder<unknown> {
  const [first] = parts
  if (first?.rows && parts.length === 1) return first.rows
  return sql`select 1 from ${sql.table(table)} where ${sql.join(
    parts.map(({ plain }) => plain),
    sql` and `,
  )}`
}
