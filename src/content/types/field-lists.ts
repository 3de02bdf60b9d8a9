// Lists made from the table of fields, once, when the program starts: names, columns, and the values of columns.

import type { Static, TSchema } from 'typebox'
import type { EntryRow } from '../../store/core/schema.ts'
import type { EntryColumn, EntryField, FieldRow, StoredValue } from './entry-field.ts'
import { entryFields } from './fields.ts'

type Fields = typeof entryFields
export type FieldName = keyof Fields

/** Names of the fields whose row has these members. */
export type NamesWith<T> = { [K in FieldName]: Fields[K] extends T ? K : never }[FieldName]
export type InputName = NamesWith<{ readonly input: TSchema }>
export type LeanName = NamesWith<{ readonly lean: true }>

/** The value of a field as a caller sends it, and as an answer shows it. */
export type FieldInputOf<K extends InputName> = Static<Fields[K]['input']>
export type OutputOf<K extends FieldName> = Static<Fields[K]['output']>
export type ColumnOf<K extends FieldName> = {
  [F in K]: Fields[F] extends { readonly column: infer C extends EntryColumn } ? C : F & EntryColumn
}[K]

type Nothing<T extends never> = T
/** This compiles only while each column has a field, and each conversion fits the schema and the column of its row. */
export type Mismatches = [Nothing<Exclude<EntryColumn, ColumnOf<FieldName>>>, Nothing<UnfitConversions>]
type UnfitConversions = {
  [K in FieldName]: Fields[K] extends { input: infer I extends TSchema; toStored: (given: infer G, ...rest: never) => infer S }
    ? [NonNullable<Static<I>>, Awaited<S>] extends [G, EntryRow[ColumnOf<K>]]
      ? never
      : K
    : never
}[FieldName]

/** All fields with their names, as rows of any table of this shape. */
export const fieldRows: readonly (readonly [name: string, field: EntryField])[] = Object.entries<FieldRow>(entryFields).map(
  ([name, field]) => [name, { column: name as EntryColumn, ...field }],
)

/** Names of the fields for which a condition is true. */
export const namesOfFields = (holds: (field: EntryField) => unknown): readonly string[] =>
  fieldRows.filter(([, field]) => holds(field)).map(([name]) => name)

const columnsOfFields = (holds: (field: EntryField) => unknown): readonly EntryColumn[] => [
  ...new Set(fieldRows.filter(([, field]) => holds(field)).map(([, { column }]) => column)),
]

export const leanNames: ReadonlySet<string> = new Set(namesOfFields(({ lean }) => lean))

/** The columns behind the lean form of an entry: a list that reads only these reads no bodies. */
export const leanColumns = columnsOfFields(({ lean }) => lean) as readonly ColumnOf<LeanName>[]
export type LeanRow = Pick<EntryRow, ColumnOf<LeanName>>

/** The columns that `revert` restores. */
export const revertedColumns = columnsOfFields(({ reverts }) => reverts)

export const jsonColumns = columnsOfFields(({ stores }) => stores === 'json')
export const timeColumns = columnsOfFields(({ stores }) => stores === 'time')

/** The default values of the columns of a new entry. */
export const blankColumns = Object.fromEntries(
  fieldRows.flatMap(([, { column, blank }]) => (blank === undefined ? [] : [[column, blank]])),
) as Pick<EntryRow, ColumnOf<NamesWith<{ readonly blank: StoredValue }>>>

/** The field that stores its value in a column, for columns whose field has another name. */
export const namesByColumn: Readonly<Record<string, string>> = Object.fromEntries(
  fieldRows.flatMap(([name, { column, derived }]) => (derived || name === column ? [] : [[column, name]])),
)
