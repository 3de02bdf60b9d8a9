// The fields by which a list can be filtered and sorted, as each list declares them, and what is said of one that isn't there.

import { cutText } from '../cut-text.ts'
import { Failure } from '../failure.ts'
import type { Context } from './action.ts'
import type { FoldedTable } from './contains.ts'
import { nearest } from './nearest.ts'

/** How a field's values are written by callers, and stored: a time as UTC milliseconds, truth as 0 or 1. */
export type FieldKind = 'text' | 'number' | 'time' | 'choice' | 'boolean'

/** What a column holds. */
export type Stored = string | number

export interface ListField {
  /** Column of the list's table. Never from outside: a field's name is looked up, its column is not. */
  readonly column: string
  readonly kind: FieldKind
  /** Of a choice: all values there are. */
  readonly choices?: readonly string[]
  /** Whether the list can be sorted by it; not, unless it says so. Texts that are sorted by are at most 500 characters long. */
  readonly sort?: boolean
  /** Whether the list can be filtered by it; so, unless it says not. */
  readonly filter?: boolean
  /** The table that keeps its text folded, for `has` and `search`. */
  readonly folded?: FoldedTable
  /** Turns what a caller writes, such as a path or an e-mail, into what is stored; null for a name that nothing has. Text fields only. */
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
 * The field of a name, if it is one of `allowed`.
 * @throws Failure `invalid`, naming those that can be used, the nearest first; a hidden field is told like one that isn't there
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

/** A caller's text or value in a message, cut short. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return cutText(text, 60)
}
