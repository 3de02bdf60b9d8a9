// The fields by which a list can be filtered and sorted, as each list declares them, and the failure for other fields.

import { cutText } from '../../base/cut-text.ts'
import { Failure } from '../../base/failure.ts'
import type { Context } from '../call/action.ts'
import type { FoldedTable } from './contains.ts'
import { didYouMean, nearDetail, nearest } from '../../base/nearest.ts'

/**
 * The kind of a field's values. Times are stored as UTC milliseconds, booleans as 0 or 1, days as `2026-11-21`, and moments as the
 * text of a time in UTC.
 */
export type FieldKind = 'text' | 'number' | 'time' | 'choice' | 'boolean' | 'day' | 'moment'

/** A value as the database stores it. */
export type Stored = string | number

export interface ListField {
  /** A column of the list's table. It never comes from a caller, who can only name a field. */
  readonly column: string
  readonly kind: FieldKind
  /** All values of the kind `choice`. */
  readonly choices?: readonly string[]
  /** True if the list can be sorted by the field. The default is false. Sorted texts have at most 500 characters. */
  readonly sort?: boolean
  /** True, the default, if the list can be filtered by the field. */
  readonly filter?: boolean
  /** True if the column may be null. The default is false. */
  readonly nullable?: boolean
  /** True if an index begins with the column, so that a filter finds few rows quickly. The default is false. */
  readonly indexed?: boolean
  /** Columns for which there is an index of this column, that column and the key. */
  readonly ordered?: readonly string[]
  /**
   * The name of the field in `entry_value`, whose `column` then has its values. Rows without a value come last in both directions.
   */
  readonly beside?: string
  /** The table with the folded text of the field, for `has` and `search`. */
  readonly folded?: FoldedTable
  /** The table with the values of the field, one row each, and the `entry_id` of their entry. `column` is then only a name. */
  readonly among?: { readonly table: string; readonly column: string }
  /**
   * Converts a name, such as a path or an e-mail address, to the stored value; null if nothing has the name. For text fields only.
   */
  readonly resolve?: (value: string, context: Context) => Promise<Stored | null>
}

export type ListFields = Readonly<Record<string, ListField>>

/** Returns the names of the fields for filters. */
export const filterable = (fields: ListFields): readonly string[] =>
  Object.keys(fields).filter((name) => fields[name]?.filter !== false)
/** Returns the names of the fields for sorting. */
export const sortable = (fields: ListFields): readonly string[] =>
  Object.keys(fields).filter((name) => fields[name]?.sort === true)

/**
 * Returns the field with a name, if it is one of `allowed`.
 * @throws Failure `invalid` with the names of the allowed fields, nearest first. It is the same for a hidden field and for an
 * unknown one
 */
export function getField(
  fields: ListFields,
  allowed: readonly string[],
  name: string,
  use: 'filter' | 'sort',
  at: string,
): ListField {
  const field = allowed.includes(name) ? fields[name] : undefined
  if (field) return field
  const near = nearest(name, allowed)
  const others = allowed.filter((one) => !near.includes(one))
  throw new Failure(
    'invalid',
    `This list can't be ${use === 'sort' ? 'sorted' : 'filtered'} by ${shown(name)}.${didYouMean(near)}`,
    {
      field: at,
      expected: [...near, ...others],
      ...nearDetail(near),
    },
  )
}

/** Returns a caller's value for a message, cut short. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return cutText(text, 60)
}

/** The sort as lists take it: `published_at desc` and `published_at:desc` mean `-published_at`, and with `asc` the field alone. */
export function plainSort(asked: string): string {
  const [, field, way = ''] = /^([\w.]{1,100})[ :](asc|desc)$/i.exec(asked.trim()) ?? []
  if (field === undefined) return asked
  return way.toLowerCase() === 'desc' ? `-${field}` : field
}
