// One condition of a `where` as SQL, in two forms: one that an index of its column serves, and one that hides the column from
// indexes.

import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely'
import type { ListField, Stored } from './field.ts'

export type Condition = RawBuilder<SqlBool>

/** A condition that takes the expression for its column. */
export type OnColumn = (column: Expression<unknown>) => Condition

/** One of the conditions of a `where`, which must all be true. */
export interface WherePart {
  /** The field of the condition; undefined for `any`. */
  readonly field: ListField | undefined
  /**
   * The rows that an index of the column finds: those of one value, of a list of values, or of a range. `none` for `ne`, `not_in`,
   * `has`, `exists: true` and `any`.
   */
  readonly finds: 'one' | 'list' | 'range' | 'none'
  /** True if the condition only excludes rows: `ne`, `not_in`, `exists: true`. Most rows are expected to meet it. */
  readonly excludes: boolean
  /** The end of a range that the condition bounds. */
  readonly bound?: 'lower' | 'upper'
  /**
   * True if no row can meet the condition: it names an object that doesn't exist, or it asks for null in a column without nulls.
   */
  readonly never: boolean
  /** A query of the rows that an index of another table finds. */
  readonly rows?: RawBuilder<unknown>
  /** The two forms for a row of `entry_value`, if the field's values are there. */
  readonly beside?: { readonly plain: Condition; readonly hidden: Condition }
  readonly plain: Condition
  /** The same condition in a form that no index of the column serves. */
  readonly hidden: Condition
}

/** A condition that no row meets, and one that every row meets. */
export const never = sql<SqlBool>`1 = 0`
export const always = sql<SqlBool>`1 = 1`

/** The condition that a column has one of these values. A list of one value is treated like `eq`. */
export function onlyValues(table: string, field: ListField, values: readonly (Stored | null)[]): WherePart {
  const [value = null, ...others] = values
  const test: OnColumn = (column) =>
    others.length > 0
      ? sql<SqlBool>`${column} in (${sql.join(values)})`
      : value === null
        ? sql<SqlBool>`${column} is null`
        : sql<SqlBool>`${column} = ${value}`
  return partOf(table, field, { finds: others.length > 0 ? 'list' : 'one', excludes: false }, test)
}

export type Facts = Pick<WherePart, 'finds' | 'excludes' | 'bound'>

export const partOf = (table: string, field: ListField, facts: Facts, test: OnColumn): WherePart => {
  if (field.beside !== undefined) return partBeside(table, field, field.beside, facts, test)
  const column = sql.ref(`${table}.${field.column}`)
  const plain = test(column)
  return { field, ...facts, never: plain === never, plain, hidden: test(hideColumn(column, field)) }
}

/** Makes a condition on a value in `entry_value`. */
function partBeside(table: string, field: ListField, name: string, facts: Facts, test: OnColumn): WherePart {
  const hidden = test(valueBeside(table, field.column, name))
  const known = { field, ...facts, never: hidden === never, hidden }
  if (facts.finds === 'none') return { ...known, plain: hidden }
  const column = sql.ref(`entry_value.${field.column}`)
  const beside = { plain: test(column), hidden: test(hideColumn(column, field)) }
  const rows = sql`select entry_id from entry_value where name = ${name} and ${beside.plain}`
  return { ...known, beside, rows, plain: sql<SqlBool>`${sql.ref(`${table}.id`)} in (${rows})` }
}

/** The value of a row in `entry_value`; null if there is none. */
export const valueBeside = (table: string, column: string, name: string): RawBuilder<unknown> =>
  sql`(select own.${sql.ref(column)} from entry_value as own where own.entry_id = ${sql.ref(`${table}.id`)} and own.name = ${name})`

/** An expression with the value of the column that no index serves. */
const hideColumn = (expression: Expression<unknown>, { kind, column }: ListField): Expression<unknown> =>
  kind === 'text' || kind === 'choice' || column === 'text_value' ? sql`(${expression} || '')` : sql`(${expression} + 0)`
