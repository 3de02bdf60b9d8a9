// What one field of an entry is: the shape of the rows in `fields.ts`. A field that an owner adds to a type will be a row of this shape
// too. Its column will hold several fields as JSON, as `seo` does today: `toStored` merges into the column, `toOutput` takes the value out.

import { type TNull, type TSchema, type TUnion, Type } from 'typebox'
import type { EntryRow } from '../store/schema.ts'

export type EntryColumn = keyof EntryRow

/** A value as the database holds it. */
export type StoredValue = string | number | null

/** What a conversion of a caller's value may use. */
export interface FieldInput {
  /** The name of the field, for failures. */
  readonly field: string
  /** What the column holds now; undefined for a new entry. */
  readonly stored: StoredValue | undefined
  /** Dates without an offset are read in this zone. */
  readonly timeZone: string
  /** The id of the entry that an id or a path names. */
  findEntryId(ref: string): Promise<string | undefined>
  /** The id of the account that may be named as the author. */
  findAuthorId(ref: string): Promise<string | undefined>
}

/** What a conversion for an answer may use beside the column. */
export interface FieldOutput {
  /** Where links lead, without a slash at the end. */
  readonly origin: string
  /** The revision that the public sees; null while it sees none. */
  readonly liveRevision: number | null
}

/** How `SVC_Content.list` may use a field. Every field with these can be filtered by. */
export interface FieldInList {
  readonly sort?: true
  /** `search` looks here. */
  readonly search?: true
  /** The table that holds the text with its letters folded. */
  readonly folded?: 'entry_folded' | 'entry_folded_body'
  /** Turns what a caller writes into what the column holds; undefined where nothing has that name. */
  resolve?(value: string, find: Pick<FieldInput, 'findEntryId'>): Promise<string | undefined>
}

/** One field of an entry. */
export interface EntryField {
  /** The column of the table `entry` that keeps it. */
  readonly column: EntryColumn
  /** How the column keeps it: a time as UTC milliseconds, JSON as text. */
  readonly stores: 'text' | 'number' | 'time' | 'json'
  /** All values there are, where it is a choice. */
  readonly choices?: readonly string[]
  /** What the column holds in a new entry, and after a caller sent `null`. */
  readonly blank?: StoredValue
  /** What callers may send; absent where the site sets the field itself. */
  readonly input?: TSchema
  /** The value for the column; the value that was sent, unless given. Never called with null. @throws Failure `invalid` */
  toStored?(given: never, context: FieldInput): StoredValue | Promise<StoredValue>
  /** What answers show. */
  readonly output: TSchema
  /** The value for an answer; the column's value unless given, and a time as ISO 8601. */
  toOutput?(stored: never, context: FieldOutput): unknown
  /** True where it shows a column that another field keeps. */
  readonly derived?: true
  /** How lists are filtered and sorted by it; absent where they are not. */
  readonly list?: FieldInList
  /** Whether lists and writes answer with it unasked. Such a field is short. */
  readonly lean?: true
  /** Whether `revert` brings an earlier value back. */
  readonly reverts?: true
  /** Whether the front matter of a file may set it (`SVC_Content.put`). */
  readonly inFile?: true
  /** Whether the Markdown form of the public page shows it as front matter, where it has a value. */
  readonly onPage?: true
}

/** A schema, or null. */
export const orNull = <S extends TSchema>(schema: S, description?: string): TUnion<[S, TNull]> =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
