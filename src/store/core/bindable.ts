// Converts the values of queries to values that databases can bind. An unsupported value is an error: drivers would silently bind
// null or `[object Object]`.

import { Failure } from '../../base/failure.ts'

export type BoundValue = string | number | null | Buffer

/**
 * @throws TypeError for a value that no column can have; Failure `invalid` for a text with NUL, which PostgreSQL can't store and
 * SQLite may cut off
 */
export function bindable(value: unknown, index: number): BoundValue {
  if (typeof value === 'string') {
    if (!value.includes('\0')) return value
    throw new Failure('invalid', 'A text contains a NUL character.', { expected: 'texts without U+0000' })
  }
  if (value === null || (typeof value === 'number' && Number.isFinite(value))) return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) return Number(value)
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  const kind =
    typeof value === 'object' ? 'an object' : typeof value === 'number' || typeof value === 'bigint' ? `${value}` : typeof value
  throw new TypeError(
    `Parameter ${index + 1} of a query is ${kind}: it must be text, a finite number, true or false, bytes, or null.`,
  )
}
