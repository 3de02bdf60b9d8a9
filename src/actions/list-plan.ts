// Chooses how the rows of a list are found, so that a page costs about the same however many rows there are:
//
// - `walk`: the rows are read in the order of the list, along an index, and the other conditions are tested on each row;
// - `few`: one condition finds at most 1,000 rows by its index, and these are sorted.
//
// Conditions that must not decide which index is used are hidden from the database, because SQLite does not know how many rows have a value.

import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Db } from '../store/database.ts'
import type { WherePart } from './where-part.ts'

type Condition = RawBuilder<SqlBool>

/** The most rows that are sorted. */
export const maxSorted = 1000

export interface ListPlan {
  readonly way: 'walk' | 'few'
  /** The condition whose index is used; on a walk, the same index has the order of the list. */
  readonly found: Condition | undefined
  /** On a walk, the column of `found` if it is not the sorted one: it stands before that on the index. */
  readonly ahead: string | undefined
  /** Which values of the sorted column `found` leaves: all, those of a range, or one. */
  readonly values: 'all' | 'range' | 'one'
  /** The other conditions, in a form that uses no index. */
  readonly tested: readonly Condition[]
  /** Whether most rows may fail a tested condition, so that a walk could read many rows for a page. */
  readonly sparse: boolean
}

interface Asked {
  readonly table: string
  /** The column that is unique in the table. */
  readonly key: string
  /** The column that the list is sorted by. */
  readonly sort: string
  readonly parts: readonly WherePart[]
}

/** Chooses a plan. It counts up to `maxSorted` rows of each condition that has an index, unless there is nothing to choose from. */
export async function planList(db: Db, { table, key, sort, parts }: Asked): Promise<ListPlan> {
  const ofKey = parts.find(({ field, finds }) => field?.indexed && field.column === key && (finds === 'one' || finds === 'list'))
  if (ofKey) return planOf('few', sort, parts, ofKey)
  const served = parts.find((part) => isServed(part, sort))
  const choices = parts.filter((part) => part === served || (part.finds !== 'none' && part.field?.indexed))
  if (choices.every((part) => part === served)) return planOf('walk', sort, parts, served)
  const counts = await countEach(db, table, choices)
  const fewest = Math.min(...counts)
  return fewest <= maxSorted ? planOf('few', sort, parts, choices[counts.indexOf(fewest)]) : planOf('walk', sort, parts, served)
}

/** A plan that uses no index for any condition. */
export const testAll = (parts: readonly WherePart[]): ListPlan => planOf('few', '', parts, undefined)

/** Whether one index has the rows of this condition in the order of the list. */
function isServed({ field, finds }: WherePart, sort: string): boolean {
  if (field?.column === sort) return finds === 'one' || finds === 'range'
  return finds === 'one' && field?.ordered?.includes(sort) === true
}

function planOf(way: ListPlan['way'], sort: string, parts: readonly WherePart[], chosen: WherePart | undefined): ListPlan {
  const others = parts.filter((part) => part !== chosen)
  return {
    way,
    found: chosen?.plain,
    ahead: way === 'walk' && chosen?.field?.column !== sort ? chosen?.field?.column : undefined,
    values: chosen?.field?.column !== sort ? 'all' : chosen.finds === 'one' ? 'one' : 'range',
    tested: others.map(({ hidden }) => hidden),
    sparse: others.some(({ excludes }) => !excludes),
  }
}

async function countEach(db: Db, table: string, parts: readonly WherePart[]): Promise<readonly number[]> {
  const counts = parts.map(
    ({ plain, rows = sql`select 1 from ${sql.table(table)} where ${plain}` }, place) =>
      sql`(select count(*) from (${rows} limit ${maxSorted + 1}) as counted) as ${sql.ref(`c${place}`)}`,
  )
  const { rows } = await sql<Record<string, number | string>>`select ${sql.join(counts)}`.execute(db)
  return parts.map((_part, place) => Number(rows[0]?.[`c${place}`] ?? 0))
}
