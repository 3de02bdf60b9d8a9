// Digests of what an import wrote. An object whose digest is another one by now was changed here, and a further import leaves it.

import { createHash } from 'node:crypto'
import type { EntryRow, MediaRow, MenuRow, TermRow } from '../../store/core/schema.ts'

const columns = {
  entry:
    'type title slug body excerpt status published_at unpublish_at author_id parent_id position seo terms locale translation_of fields cover',
  term: 'slug name parent_id text',
  media: 'filename alt caption',
  menu: 'name location items',
} as const

interface Rows {
  readonly entry: EntryRow
  readonly term: TermRow
  readonly media: MediaRow
  readonly menu: MenuRow
}

/** Returns the digest of the columns that an import writes. */
export function digestOf<K extends keyof Rows>(kind: K, row: Rows[K]): string {
  const values = columns[kind].split(' ').map((column) => (row as unknown as Readonly<Record<string, unknown>>)[column] ?? null)
  return digestOfValue(values)
}

/** Returns the digest of a value, such as that of a setting. */
export const digestOfValue = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('base64url')
    .slice(0, 24)
