// What one field of an entry is: the shape of the rows in `fields.ts`. A field that an owner adds to a type will be a row of this shape
// too. Its column will store several fields as JSON, as `seo` does today: `toStored` merges into the column, `toOutput` takes the value out.

import { type TNull, type TSchema, type TUnion, Type } from 'typebox'
import type { EntryRow } from '../store/schema.ts'

export type EntryColumn = keyof EntryRow

/** A value as the database stores it. */
export type StoredValue = string | number | null

/** What a conversion of a caller's value may use. */
export interface FieldInput {
  /** The name of the field, for failures. */
  readonly field: string
  /** The present value of the column; undefined for a new entry. */
  readonly stored: StoredValue | undefined
  /** Dates without an offset are read in this zone. */
  readonly timeZone: string
  /** The id of the entry that an id or a path names. */
  findEntryId(ref: string): Promise<string | undefined>
  /** The id of the image that an id or a path names. */
  findImageId(ref: string): Promise<string | undefined>
  /** The id of the account that may be named as the author. */
  findAuthorId(ref: string): Promise<string | undefined>
}

/** What a conversion for an answer may use beside the column. */
export interface FieldOutput {
  /** Origin and base path of links, without a slash at the end. */
  readonly origin: string
  /** The public revision; null if the entry is not public. */
  readonly liveRevision: number | null
}

/** How `SVC_Content.list` may use a field. Lists can be filtered by every field that has this. */
export interface FieldInList {
  readonly sort?: true
  /** Whether `search` looks in this field. */
  readonly search?: true
  /** Whether an index begins with the column. */
  readonly indexed?: true
  /** Columns for which there is an index of this column, that column and the id. */
  readonly ordered?: readonly EntryColumn[]
  /** The table with the folded text of the field. */
  readonly folded?: 'entry_folded' | 'entry_folded_body'
  /** Converts a name to the stored value; undefined if nothing has this name. */
  resolve?(value: string, find: Pick<FieldInput, 'findEntryId'>): Promise<string | undefined>
}

/** One field of an entry. */
export interface EntryField {
  /** The column of the table `entry` that stores the field. */
  readonly column: EntryColumn
  /** How the column stores the field: a time as UTC milliseconds, JSON as text. */
  readonly stores: 'text' | 'number' | 'time' | 'json'
  /** All values, if the field is a choice. */
  readonly choices?: readonly string[]
  /** The value of the column in a new entry, and after a caller sent `null`. */
  readonly blank?: StoredValue
  /** What callers may send; absent if only the site sets the field. */
  readonly input?: TSchema
  /** Converts the sent value for the column. The default stores it as sent. Never called with null. @throws Failure `invalid` */
  toStored?(given: never, context: FieldInput): StoredValue | Promise<StoredValue>
  /** What answers show. */
  readonly output: TSchema
  /** Converts the column's value for answers. The default shows the value itself, and a time as ISO 8601. */
  toOutput?(stored: never, context: FieldOutput): unknown
  /** True if another field stores the column, and this one only shows it. */
  readonly derived?: true
  /** How lists are filtered and sorted by the field; absent if they can't be. */
  readonly list?: FieldInList
  /** Whether lists and writes answer the field without being asked for it. Such a field is short. */
  readonly lean?: true
  /** Whether `revert` brings an earlier value back. */
  readonly reverts?: true
  /** Whether the front matter of a file may set it (`SVC_Content.put`). */
  readonly inFile?: true
  /** Whether the front matter of the public page in Markdown shows the field, if it has a value. */
  readonly onPage?: true
}

/** A schema, or null. */
export const orNull = <S extends TSchema>(schema: S, description?: string): TUnion<[S, TNull]> =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
