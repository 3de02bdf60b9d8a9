// The declaration of one field of an entry: the shape of the rows in `fields.ts`. All custom fields are stored in one column, whose
// row is `fields`; `custom-values.ts` reads and writes it.

import { type TNull, type TSchema, type TUnion, Type } from 'typebox'
import type { EntryRow } from '../../store/core/schema.ts'
import type { EntryType } from './entry-types.ts'
import type { ValueContext } from './field-kinds.ts'
import type { TermOf } from '../terms/term-index.ts'

export type EntryColumn = keyof EntryRow

/** A value as the database stores it. */
export type StoredValue = string | number | null

/** The context for converting a caller's value. */
export interface FieldInput extends ValueContext {
  /** The name of the field, for failures. */
  readonly field: string
  /** The present value of the column; undefined for a new entry. */
  readonly stored: StoredValue | undefined
  /** The type of the entry after the write. */
  readonly type: EntryType
  findEntryId(ref: string): Promise<string | undefined>
  /** The group of translations of the entry that an id or a path names. */
  findGroup(ref: string): Promise<string | undefined>
  findImageId(ref: string): Promise<string | undefined>
  /** The id of the account that may be named as the author. */
  findAuthorId(ref: string): Promise<string | undefined>
  /** The id of the term that an id or a name such as `category/news` names. */
  findTermId(ref: string): Promise<string | undefined>
  /**
   * The ids of terms, each given by its id or name, for an entry of a type.
   * @throws Failure `invalid` for a term that does not exist, or that entries of this type can't have
   */
  findTermIds(refs: readonly string[], type: string): Promise<readonly string[]>
}

/** The context for converting a column for an answer. */
export interface FieldOutput {
  /** Origin and base path of links, without a slash at the end. */
  readonly origin: string
  /** The public revision; null if the entry is not public. */
  readonly liveRevision: number | null
  readonly type: EntryType
  /** The name of the term with this id; undefined for a term that was deleted. */
  readonly termOf: TermOf
}

/** The use of a field by `SVC_Content.list`. Lists can be filtered by every field that has this. */
export interface FieldInList {
  readonly sort?: true
  /** True if `search` looks in this field. */
  readonly search?: true
  /** True if an index begins with the column. */
  readonly indexed?: true
  /** The columns for which an index exists on this column, that column and the id. */
  readonly ordered?: readonly EntryColumn[]
  /** The table with the folded text of the field. */
  readonly folded?: 'entry_folded' | 'entry_folded_body'
  /** Converts a name to the stored value; undefined if nothing has this name. */
  resolve?(value: string, find: Pick<FieldInput, 'findEntryId' | 'findGroup' | 'findTermId'>): Promise<string | undefined>
  /** The table with the values of the field, one row per value. A condition is true if one of the values meets it. */
  readonly among?: { readonly table: 'entry_term'; readonly column: 'term_id' }
}

/** The panels of the editor. The fields of a panel come in the order of the table. */
export type FormPanel = 'text' | 'publication' | 'address' | 'terms' | 'cover' | 'search_engines' | 'comments' | 'language'

/**
 * The control in the editor: `line` to `box` by the kind of value, `entry` and `image` for references, others for one field each.
 */
export type FormControl =
  | 'line'
  | 'area'
  | 'number'
  | 'time'
  | 'box'
  | 'entry'
  | 'image'
  | 'body'
  | 'status'
  | 'author'
  | 'terms'
  | 'comments'
  | 'language'

/** The words of a field in the editor. The other languages have theirs under `field.NAME.label` and `field.NAME.help`. */
export interface FormWords {
  readonly label: string
  readonly help?: string
}

/** The place and the words of a field in the editor. A field without this is not in the editor. */
export interface FieldInForm extends FormWords {
  readonly panel: FormPanel
  readonly control: FormControl
  /** Its words while the entry is public (`field.NAME.live.label`). */
  readonly live?: FormWords
  readonly required?: true
  /** True to place the field after the others of its panel. */
  readonly last?: true
  /** True if only entries of hierarchical types have the field. */
  readonly hierarchical?: true
}

export interface EntryField {
  /** The column of the table `entry` that stores the field. */
  readonly column: EntryColumn
  /** The form in which the column stores the field: a time as UTC milliseconds, JSON as text, a boolean as 0 or 1. */
  readonly stores: 'text' | 'number' | 'time' | 'json' | 'boolean'
  /** All values, if the field is a choice. */
  readonly choices?: readonly string[]
  /** The value of the column in a new entry, and after a caller sent `null`. */
  readonly blank?: StoredValue
  /** The schema of a caller's value; absent if only the site sets the field. */
  readonly input?: TSchema
  /**
   * Converts the sent value for the column. The default stores it as sent. Called with null only if `takesNull`.
   * @throws Failure `invalid`
   */
  toStored?(given: never, context: FieldInput): StoredValue | Promise<StoredValue>
  /** True if `toStored` handles null. Otherwise null stores `blank`. */
  readonly takesNull?: true
  /** The schema of the value in answers. */
  readonly output: TSchema
  /** Converts the column's value for answers. The default shows the value itself, and a time as ISO 8601. */
  toOutput?(stored: never, context: FieldOutput): unknown
  /** True if another field stores the column, and this one only shows it. */
  readonly derived?: true
  readonly form?: FieldInForm
  /** The members of an object in the editor, each as a field. */
  readonly members?: Readonly<Record<string, FieldInForm>>
  /** The use of the field for filtering and sorting lists; absent if there is none. */
  readonly list?: FieldInList
  /** True if lists and writes return the field without being asked for it. Such a field is short. */
  readonly lean?: true
  /** True if `revert` restores an earlier value. */
  readonly reverts?: true
  /** True if the front matter of a file may set the field (`SVC_Content.put`). */
  readonly inFile?: true
  /** True if the front matter of the public page in Markdown contains the field when it has a value. */
  readonly onPage?: true
}

/** A field as the table has it. The default of `column` is the name of the field. */
export type FieldRow = Omit<EntryField, 'column'> & Partial<Pick<EntryField, 'column'>>

export const orNull = <S extends TSchema>(schema: S, description?: string): TUnion<[S, TNull]> =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

export const textOrNull = (description: string, maxLength: number) => orNull(Type.String({ maxLength }), description)
