// The entry in answers. The table of fields has the conversion of each column.

import { isObject, membersOrNull, withoutNulls } from '../../base/json.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { liveRevisionOf } from './entry.ts'
import type { TermOf } from '../terms/term-index.ts'
import type { EntryColumn, EntryField, FieldOutput, StoredValue } from '../types/entry-field.ts'
import { builtInTypes, type EntryTypes } from '../types/entry-types.ts'
import { blankColumns, type FieldName, fieldRows, type LeanName, type LeanRow, type OutputOf } from '../types/field-lists.ts'

/** An entry without its long parts, as lists and writes answer it. Dates are ISO 8601 in UTC. */
export type LeanEntry = { readonly [K in LeanName]: OutputOf<K> }

/** All of an entry. `author` and `parent` are ids. */
export type FullEntry = { readonly [K in FieldName]: OutputOf<K> }

interface Conversion {
  readonly name: string
  readonly column: EntryColumn
  /** Undefined if answers show the column unchanged. */
  readonly convert: ((stored: never, context: FieldOutput) => unknown) | undefined
}

const conversionsOf = (holds: (field: EntryField) => unknown): readonly Conversion[] =>
  fieldRows
    .filter(([, field]) => holds(field))
    .map(([name, { column, toOutput, stores }]) => ({
      name,
      column,
      convert: toOutput ?? (stores === 'time' ? isoOrNull : undefined),
    }))

const leanConversions = conversionsOf(({ lean }) => lean)
const allConversions = conversionsOf(() => true)
const pageConversions = conversionsOf(({ onPage }) => onPage)

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

function convertRow(conversions: readonly Conversion[], row: Partial<EntryRow>, context: FieldOutput): Record<string, unknown> {
  const item: Record<string, unknown> = {}
  for (const { name, column, convert } of conversions) {
    const stored: StoredValue | undefined = row[column]
    item[name] = convert ? convert(stored as never, context) : stored
  }
  return item
}

/** For fields that show neither the public revision nor terms. */
const withoutTerms = { liveRevision: null, termOf: () => undefined } as const

/** An entry as lists show it. @param origin the base of links, without a slash at the end */
export function leanEntry(row: LeanRow, origin: string): LeanEntry {
  return convertRow(leanConversions, row, { origin, ...withoutTerms, type: builtInTypes.of(row.type) }) as unknown as LeanEntry
}

/** All of an entry in its current state. @param now UTC milliseconds */
export function fullEntry(row: EntryRow, origin: string, now: number, names: EntryNames): FullEntry {
  return entryAt(row, origin, liveRevisionOf(row, now), names)
}

/** The names for the values of an entry. */
export interface EntryNames {
  readonly types: EntryTypes
  readonly termOf: TermOf
}

/** All of an entry at a revision. @param liveRevision the current one, by `liveRevisionOf` */
export function entryAt(row: EntryRow, origin: string, liveRevision: number | null, { types, termOf }: EntryNames): FullEntry {
  return convertRow(allConversions, row, { origin, liveRevision, termOf, type: types.of(row.type) }) as unknown as FullEntry
}

/** The front matter of a public page in Markdown: the fields that the table marks `onPage`, if they have a value. */
export function pageFrontMatter(row: EntryRow, origin: string, types: EntryTypes): Record<string, unknown> {
  const item = convertRow(pageConversions, row, { origin, ...withoutTerms, type: types.of(row.type) })
  return withoutNulls(
    Object.fromEntries(Object.entries(item).map(([name, value]) => [name, isObject(value) ? membersOrNull(value) : value])),
  )
}

/** The row that a revision has stored. A column that was added after that revision is blank. */
export function rowOfSnapshot(snapshot: string): EntryRow {
  return { ...blankColumns, ...(JSON.parse(snapshot) as EntryRow) }
}
