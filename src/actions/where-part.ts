// One condition of a `where` as SQL: in a form that an index of its column serves, and in one that hides the column.

import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely'
import type { ListField, Stored } from './list-field.ts'

export type Condition = RawBuilder<SqlBool>

/** A condition on a column, once the expression for the column is known. */
export type OnColumn = (column: Expression<unknown>) => Condition

/** One of the conditions of a `where` that must all be true. */
export interface WherePart {
  /** The field that the condition is on; undefined for `any`. */
  readonly field: ListField | undefined
  /**
   * Which rows an index of the column finds: those of one value, of a list of values, or of a range. For `ne`, `not_in`, `has`, `exists: true`
   * and `any` it is `none`.
   */
  readonly finds: 'one' | 'list' | 'range' | 'none'
  /** True if the condition only leaves rows out: `ne`, `not_in`, `exists: true`. Most rows are expected to meet it. */
  readonly excludes: boolean
  /** The end of a range that the condition sets. */
  readonly bound?: 'lower' | 'upper'
  /**
   * True if no row can meet the condition: nothing has the name that it gives, or it asks for no value where there always is one.
   */
  readonly never: boolean
  /** A query of the rows that an index finds, where that is not an index of the list's table. */
  readonly rows?: RawBuilder<unknown>
  /** The same two conditions on a row of `entry_value`, for a field whose values are there. */
  readonly beside?: { readonly plain: Condition; readonly hidden: Condition }
  /** The condition. */
  readonly plain: Condition
  /** The same condition, in a form for which no database uses an index of the column. */
  readonly hidden: Condition
}

/** A condition that no row meets, and one that every row meets. */
export const never = sql<SqlBool>`1 = 0`
export const always = sql<SqlBool>`1 = 1`

/** The condition that a column has one of these values, as a part of a `where`. A list of one value is served like `eq`. */
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

/** A condition on a value in `entry_value`. */
function partBeside(table: string, field: ListField, name: string, facts: Facts, test: OnColumn): WherePart {
  const hidden = test(valueBeside(table, field.column, name))
  const known = { field, ...facts, never: hidden === never, hidden }
  if (facts.finds === 'none') return { ...known, plain: hidden }
  const column = sql.ref(`entry_value.${field.column}`)
  const beside = { plain: test(column), hidden: test(hideColumn(column, field)) }
  const rows = sql`select entry_id from entry_value where name = ${name} and ${beside.plain}`
  return { ...known, beside, rows, plain: sql<SqlBool>`${sql.ref(`${table}.id`)} in (${rows})` }
}

/** The value that a row has in `entry_value`; null if it has none. */
export const valueBeside = (table: string, column: string, name: string): RawBuilder<unknown> =>
  sql`(select own.${sql.ref(column)} from entry_value as own where own.entry_id = ${sql.ref(`${table}.id`)} and own.name = ${name})`

/** The column as an expression of the same value. */
const hideColumn = (expression: Expression<unknown>, { kind, column }: ListField): Expression<unknown> =>
  kind === 'text' || kind === 'choice' || column === 'text_value' ? sql`(${expression} || '')` : sql`(${expression} + 0)`
