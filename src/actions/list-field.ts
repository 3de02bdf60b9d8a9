// The fields by which a list can be filtered and sorted, as each list declares them, and the failure for any other field.

import { cutText } from '../cut-text.ts'
import { Failure } from '../failure.ts'
import type { Context } from './action.ts'
import type { FoldedTable } from './contains.ts'
import { nearest } from './nearest.ts'

/**
 * The kind of a field's values. A time is stored as UTC milliseconds, a boolean as 0 or 1, a day as `2026-11-21`, and a moment as the text of a time in
 * UTC.
 */
export type FieldKind = 'text' | 'number' | 'time' | 'choice' | 'boolean' | 'day' | 'moment'

/** A value as the database stores it. */
export type Stored = string | number

export interface ListField {
  /** Column of the list's table. It never comes from a caller, who can only name a field. */
  readonly column: string
  readonly kind: FieldKind
  /** All values of the kind `choice`. */
  readonly choices?: readonly string[]
  /** True if the list can be sorted by the field. The default is false. Such a text has at most 500 characters. */
  readonly sort?: boolean
  /** True if the list can be filtered by the field. This is the default. */
  readonly filter?: boolean
  /** True if the column may be null. The default is false. */
  readonly nullable?: boolean
  /** True if an index begins with the column, so that a filter finds few rows quickly. The default is false. */
  readonly indexed?: boolean
  /** Columns for which there is an index of this column, that column and the key: rows of one value, in that order. */
  readonly ordered?: readonly string[]
  /**
   * The name under which `entry_value` has the values of the field, which then are in `column` of that table. Rows without a value come last, in either
   * direction.
   */
  readonly beside?: string
  /** The table with the folded text of the field, for `has` and `search`. */
  readonly folded?: FoldedTable
  /** The table that has the values of the field, one row each, with the `entry_id` of its entry. `column` is then only a name. */
  readonly among?: { readonly table: string; readonly column: string }
  /** Converts a name, such as a path or an e-mail address, to the stored value; null if nothing has this name. For text fields only. */
  readonly resolve?: (value: string, context: Context) => Promise<Stored | null>
}

export type ListFields = Readonly<Record<string, ListField>>

/** Names of the fields by which a list can be filtered. */
export const filterable = (fields: ListFields): readonly string[] =>
  Object.keys(fields).filter((name) => fields[name]?.filter !== false)
/** Names of the fields by which a list can be sorted. */
export const sortable = (fields: ListFields): readonly string[] =>
  Object.keys(fields).filter((name) => fields[name]?.sort === true)

/**
 * The field with this name, if it is one of `allowed`.
 * @throws Failure `invalid` with the names of the allowed fields, nearest first. It is the same for a hidden field and for one that doesn't exist
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
  const meant = near.length > 0 ? ` Did you mean ${near.map((one) => JSON.stringify(one)).join(' or ')}?` : ''
  throw new Failure('invalid', `This list can't be ${use === 'sort' ? 'sorted' : 'filtered'} by ${shown(name)}.${meant}`, {
    field: at,
    expected: [...near, ...others],
    ...(near.length > 0 ? { nearest: near } : {}),
  })
}

/** A caller's value as it appears in a message, cut short. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return cutText(text, 60)
}
