// Converts the values of a `where` to their stored form, and makes the failures for values that can't be compared.

import { type Failure, invalid } from '../../base/failure.ts'
import { dayIn, formatDate, parseDate, parseRelativeDate } from '../../settings/time-zone.ts'
import type { Context } from '../call/action.ts'
import { type FieldKind, type ListField, shown, type Stored } from './field.ts'

const maxValues = 100
const maxTextLength = 1000

/** The field of a condition; `at` is its path in the input, for failures. */
export interface Subject {
  readonly table: string
  readonly field: ListField
  readonly at: string
  readonly context: Context
}

/** Returns the stored forms of a list of values. */
export async function readValues(subject: Subject, values: unknown): Promise<readonly Stored[]> {
  const { at } = subject
  if (!Array.isArray(values) || values.length === 0 || values.length > maxValues)
    throw wrongValue(at, `a list of 1 to ${maxValues} values`, values)
  const stored: Stored[] = []
  for (const [i, value] of values.entries()) {
    const one = await readValue({ ...subject, at: `${at}.${i}` }, value)
    if (one !== null) stored.push(one)
  }
  return stored
}

/** Returns the stored form of a caller's value; null only for a name that was looked up and not found. */
export async function readValue(
  { field, at, context }: Subject,
  value: unknown,
  edge: 'start' | 'end' = 'start',
): Promise<Stored | null> {
  if (field.resolve) return field.resolve(readText(at, value), context)
  return readers[field.kind](at, value, field, edge, context)
}

type Read = (at: string, value: unknown, field: ListField, edge: 'start' | 'end', context: Context) => Stored

const readers: Record<FieldKind, Read> = {
  text: readText,
  number(at, value) {
    const good = typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER
    if (!good) throw wrongValue(at, 'a number within ±(2^53 − 1)', value)
    return value
  },
  time: readTime,
  moment: (at, value, field, edge, context) => formatDate(readTime(at, value, field, edge, context)),
  day(at, value, field, edge, context) {
    const { time_zone: zone } = context.site.settings.values
    return dayIn(readTime(at, value, field, edge, context), zone)
  },
  choice(at, value, { choices = [] }) {
    if (typeof value !== 'string' || !choices.includes(value))
      throw wrongValue(at, `one of ${choices.map((one) => JSON.stringify(one)).join(', ')}`, value)
    return value
  },
  boolean(at, value) {
    if (typeof value !== 'boolean') throw wrongValue(at, 'true or false', value)
    return value ? 1 : 0
  },
}

function readTime(at: string, value: unknown, _field: ListField, edge: 'start' | 'end', context: Context): number {
  const zone = context.site.settings.values.time_zone
  const time =
    typeof value === 'string' ? (parseDate(value, zone, edge) ?? parseRelativeDate(value, zone, context.now)) : undefined
  if (time === undefined)
    throw wrongValue(
      at,
      'a date such as "2026-11-21", "2026-11-21T06:55", "2026-11-21T06:55:48Z", "-30min", "-7d" or "-1mo"',
      value,
    )
  return time
}

export function readText(at: string, value: unknown): string {
  const good = typeof value === 'string' && value.length <= maxTextLength && !value.includes('\0') && value.isWellFormed()
  if (!good) throw wrongValue(at, `a text of at most ${maxTextLength} characters, without NUL`, value)
  return value
}

export function wrongValue(field: string, expected: string, value: unknown): Failure {
  return invalid(field, `${shown(field)} must be ${expected}; it is ${shown(value)}.`, expected)
}

export function wrongOperator(field: string, operator: string, allowed: readonly string[]): Failure {
  return invalid(field, `${shown(field)} can't be compared by ${shown(operator)}.`, allowed)
}
