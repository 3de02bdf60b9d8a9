// Cursors of lists. A MAC binds a cursor to its list. Its content is readable, so it contains only what the caller has seen: key
// and sort value of the last row.

import { createHash, createHmac } from 'node:crypto'
import { Failure } from '../../base/failure.ts'
import { canonical } from '../../base/json.ts'
import { sameSecret } from '../../base/same-secret.ts'

/** A stored value by which a list can be sorted. */
export type SortValue = string | number | null

/** The position of the last row that the caller has. */
export interface Position {
  readonly value: SortValue
  readonly key: string | number
}

/** The longest cursor. Sort values are limited to a third of this. */
export const maxCursorLength = 4000

const macBytes = 16

/** Encodes a cursor. @param list everything that decides the rows and their order; the cursor works for this list only */
export function encodeCursor(key: Buffer, list: unknown, { value, key: rowKey }: Position): string {
  const payload = Buffer.from(JSON.stringify([value, rowKey])).toString('base64url')
  return `${payload}.${macOf(key, list, payload)}`
}

/**
 * Returns the position of a cursor.
 * @throws Failure `invalid` for a cursor that was edited, or that belongs to another list or site
 */
export function decodeCursor(key: Buffer, list: unknown, cursor: string): Position {
  const [payload = '', mac = '', ...rest] = cursor.length <= maxCursorLength ? cursor.split('.') : []
  // The MACs are compared as text, because base64url has several spellings of the same bytes.
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
      expected: '`next_cursor` of the previous page, with all other arguments unchanged',
      hint: 'Start again without a cursor.',
    },
  )
}
