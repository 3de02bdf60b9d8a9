// Where a list goes on: opaque to callers, bound to its list by a MAC. Its content is readable, so it holds
// nothing but what the caller has seen: the last row's key and sort value.

import { createHash, createHmac } from 'node:crypto'
import { Failure } from '../failure.ts'
import { canonical } from '../json.ts'
import { sameSecret } from '../same-secret.ts'

/** A stored value that a list can be sorted by. */
export type SortValue = string | number | null

/** The last row that the caller has. */
export interface Position {
  readonly value: SortValue
  readonly key: string | number
}

/** A cursor longer than this is none of ours; values that are sorted by are kept shorter than a third of it. */
export const maxCursorLength = 4000

const macBytes = 16

/** `list` is everything that decides which rows there are and in which order; two lists that differ in it share no cursor. */
export function encodeCursor(key: Buffer, list: unknown, { value, key: rowKey }: Position): string {
  const payload = Buffer.from(JSON.stringify([value, rowKey])).toString('base64url')
  return `${payload}.${macOf(key, list, payload)}`
}

/**
 * The position in a cursor.
 * @throws Failure `invalid` for one that was edited, or that belongs to another list or site
 */
export function decodeCursor(key: Buffer, list: unknown, cursor: string): Position {
  const [payload = '', mac = '', ...rest] = cursor.length <= maxCursorLength ? cursor.split('.') : []
  // Compared as text: base64url has several spellings of the same bytes, and only ours is good.
  const good = rest.length === 0 && payload !== '' && sameSecret(mac, macOf(key, list, payload))
  if (!good) throw foreignCursor()
  const [value, rowKey] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [SortValue, string | number]
  return { value, key: rowKey }
}

function macOf(key: Buffer, list: unknown, payload: string): string {
  const listHash = createHash('sha256').update(canonical(list)).digest('base64url')
  return createHmac('sha256', key).update(`${listHash}.${payload}`).digest().subarray(0, macBytes).toString('base64url')
}

function foreignCursor(): Failure {
  return new Failure(
    'invalid',
    'This cursor does not belong to this list: its `where`, `sort` or another argument changed, or it was edited.',
    {
      field: 'cursor',
      expected: '`next_cursor` of the page before, with all other arguments as they were',
      hint: 'Start again without a cursor.',
    },
  )
}
