// The stretches of a list: consecutive rows of one index.
// A page continues after the sort value and key of the last row. The two are compared as one row value, which an index serves. Rows
// without a sort value come first, or last in descending order. A separate query reads them, because a row value with a null
// matches nothing.
// A list may also be sorted by values in `entry_value`. It then reads that table in the order of its index, and the entry of each
// value. Entries without a value come last in both directions, because most entries are of types without the field.

import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'
import type { Db } from '../../store/core/database.ts'
import type { Schema } from '../../store/core/schema.ts'
import type { Position } from './cursor.ts'
import type { ListField } from './field.ts'
import type { ListPlan } from './plan.ts'
import { valueBeside } from './where-part.ts'

type Condition = RawBuilder<SqlBool>
export type AnyQuery = SelectQueryBuilder<Schema, keyof Schema, object>

export interface ListOrder {
  /** As in the input: `-created_at`. */
  readonly text: string
  readonly field: ListField
  readonly down: boolean
}

export interface Reading {
  readonly db: Db
  readonly table: keyof Schema
  readonly key: string
  readonly order: ListOrder
  readonly plan: ListPlan
  /** The `shownAfter` of a search, as in `Searching`. */
  readonly shownAfter: number | undefined
  /** Limits a query to the rows that the caller may see. */
  readonly narrow: (query: AnyQuery) => AnyQuery
  /** The columns to read; undefined for all. */
  readonly columns: readonly string[] | undefined
}

/** Consecutive rows on the index of the sorted column: the rows with a value, or the rows without. */
export interface ListStretch {
  readonly start: readonly Condition[]
  /** True if the rows begin after a position. */
  readonly continues: boolean
  /** The columns that order the rows: value and key, or the key alone if all values are equal or absent. */
  readonly by: 'value' | 'key'
  /** True if the rows are read from `entry_value`, in the order of its index. */
  readonly beside?: true
}

type Expressed = RawBuilder<unknown>

/** Returns the sort value of a row, as an expression that needs no other table. */
export function valueOf({ table, order: { field } }: Reading): Expressed {
  return field.beside === undefined ? sql.ref(`${table}.${field.column}`) : valueBeside(table, field.column, field.beside)
}
export const keyOf = ({ table, key }: Reading): Expressed => sql.ref(`${table}.${key}`)

/** Returns the value and key of the rows of a stretch, as the index has them. */
export function positionIn(
  reading: Reading,
  { beside, by }: ListStretch,
): { readonly value: Expressed; readonly key: Expressed } {
  const { field } = reading.order
  if (beside) return { value: sql.ref(`entry_value.${field.column}`), key: sql.ref('entry_value.entry_id') }
  return { value: field.beside !== undefined && by === 'key' ? sql`null` : valueOf(reading), key: keyOf(reading) }
}

/** Returns the rows of a stretch, without any condition. */
export function rowsIn(reading: Reading, { beside }: ListStretch): AnyQuery {
  const { db, table, key } = reading
  if (!beside) return db.selectFrom(table)
  // `cross join` makes SQLite read the values first, in the order of their index.
  return valuesIn(reading)
    .crossJoin('entry')
    .where(sql<SqlBool>`${sql.ref(`entry.${key}`)} = entry_value.entry_id`)
}

/** Returns the rows of `entry_value` with the sorted field. */
export const valuesIn = ({ db, order: { field } }: Reading) =>
  db.selectFrom('entry_value').where('entry_value.name', '=', field.beside ?? '')

/** Returns the stretch of rows with a value in `entry_value`, then the stretch of rows without. */
function stretchesBeside(reading: Reading, after: Position | undefined): readonly ListStretch[] {
  const { order, plan } = reading
  const inValues = after !== undefined && after.value !== null
  const values: Omit<ListStretch, 'start'> = { by: 'value', beside: true, continues: inValues }
  const { value, key } = positionIn(reading, { ...values, start: [] })
  const start = inValues
    ? [sql<SqlBool>`(${value}, ${key}) ${beyond(reading)} (${after.value}, ${after.key})`]
    : plan.values === 'all'
      ? [sql<SqlBool>`${value} >= ${leastOf(order.field)}`]
      : []
  if (plan.values !== 'all') return [{ ...values, start }]
  const afterKey = after?.value === null ? [sql<SqlBool>`${keyOf(reading)} ${beyond(reading)} ${after.key}`] : []
  const nulls: ListStretch = {
    start: [sql<SqlBool>`${valueOf(reading)} is null`, ...afterKey],
    by: 'key',
    continues: afterKey.length > 0,
  }
  return after?.value === null ? [nulls] : [{ ...values, start }, nulls]
}

/** A value that is not greater than any other. */
const leastOf = ({ kind, column }: ListField): string | number =>
  column === 'text_value' || kind === 'text' || kind === 'choice' ? '' : Number.MIN_SAFE_INTEGER
export const beyond = ({ order }: Reading) => (order.down ? sql`<` : sql`>`)

export function stretchesOf(reading: Reading, after: Position | undefined): readonly ListStretch[] {
  const { order, plan } = reading
  if (order.field.beside !== undefined) return stretchesBeside(reading, after)
  const [value, key] = [valueOf(reading), keyOf(reading)]
  const continues = after !== undefined
  const afterKey = after ? [sql<SqlBool>`${key} ${beyond(reading)} ${after.key}`] : []
  if (plan.values === 'one' || order.field.column === reading.key) return [{ start: afterKey, by: 'key', continues }]
  const inValues = after && after.value !== null
  const afterValue = inValues ? [sql<SqlBool>`(${value}, ${key}) ${beyond(reading)} (${after.value}, ${after.key})`] : []
  if (!order.field.nullable || plan.values === 'range') return [{ start: afterValue, by: 'value', continues }]
  const start = inValues ? afterValue : [sql<SqlBool>`${value} >= ${leastOf(order.field)}`]
  const values: ListStretch = { start, by: 'value', continues }
  const nulls: ListStretch = { start: [sql<SqlBool>`${value} is null`, ...(inValues ? [] : afterKey)], by: 'key', continues }
  if (order.down) return after?.value === null ? [nulls] : [values, nulls]
  return inValues ? [values] : [nulls, values]
}

/** Returns the conditions of a stretch, up to and including its row at `end`. */
export function boundsOf(reading: Reading, stretch: ListStretch, end: Position | undefined): readonly Condition[] {
  const { start, by } = stretch
  if (!end) return start
  const { value, key } = positionIn(reading, stretch)
  const upTo = reading.order.down ? sql`>=` : sql`<=`
  const last =
    by === 'value' ? sql<SqlBool>`(${value}, ${key}) ${upTo} (${end.value}, ${end.key})` : sql<SqlBool>`${key} ${upTo} ${end.key}`
  return [...start, last]
}

/**
 * Returns the conditions on the index of a stretch. A stretch after a position has two starts: the position, and the bound of the
 * range at which the list began. A database may choose the more distant start. The bound is therefore hidden from the index; the
 * position is inside the range.
 */
export function foundIn({ plan, order }: Reading, { beside, continues }: ListStretch): readonly Condition[] {
  const began = order.down ? 'upper' : 'lower'
  return plan.found.map((part) => {
    const { plain, hidden } = (beside && part.beside) || part
    return continues && part.bound === began ? hidden : plain
  })
}
