// Entries as one table, for spreadsheets.

import type { EntryTypes } from '../content/types/entry-types.ts'
import { urlOf } from '../content/entries/entry.ts'
import { csvLine, plainCell } from '../base/csv.ts'
import { type EntryExportParts, fileFields, readNamedEntries } from './entry-files.ts'

const columns = [
  'path',
  'url',
  'title',
  'type',
  'status',
  'published_at',
  'excerpt',
  'author',
  'locale',
  'terms',
  'cover',
] as const

/** Yields the table line by line: a column for each member, one for each field of the types, and the text. */
export async function* entriesCsv(parts: EntryExportParts & { readonly origin: string }): AsyncGenerator<string> {
  const own = ownFields(parts.types)
  yield csvLine([...columns, ...own.map((name) => `fields.${name}`), 'body'])
  for await (const entry of readNamedEntries(parts)) {
    const path = entry.row.path ?? ''
    const fields = { ...fileFields(entry, parts.types), path, url: urlOf(parts.origin, path) } as Readonly<
      Record<string, unknown>
    >
    const values = (fields['fields'] ?? {}) as Readonly<Record<string, unknown>>
    const cells = [...columns.map((name) => fields[name]), ...own.map((name) => values[name]), entry.row.body]
    yield csvLine(cells.map((value) => plainCell(textOf(value))))
  }
}

const ownFields = (types: EntryTypes): readonly string[] => [
  ...new Set(types.all.flatMap(({ fields }) => fields.map(({ name }) => name))),
]

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join('; ')
  return JSON.stringify(value)
}
