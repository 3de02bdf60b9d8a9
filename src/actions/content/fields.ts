// The arguments that set the fields of an entry, made from the table of fields, and the look-ups that converting them needs.

import { type TOptional, type TProperties, Type } from 'typebox'
import { findEntry } from '../../content/entries/entry.ts'
import type { EntryField, FieldInput } from '../../content/types/entry-field.ts'
import { columnsOf, type EntryInput, type InputContext } from '../../content/entries/entry-input.ts'
import { type FieldName, fieldRows, type InputName, type NamesWith } from '../../content/types/field-lists.ts'
import { entryFields } from '../../content/types/fields.ts'
import { toTime } from '../../content/types/field-values.ts'
import { referenceResolvers } from '../../content/entries/references.ts'
import { findTerm } from '../../content/terms/terms.ts'
import type { EntryPatch } from '../../content/entries/write-entry.ts'
import { findImageId } from '../../media/media-rows.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import { mayLookUp } from '../shared/look-up.ts'
import { findTermIds, type UnknownTerms } from '../shared/term-names.ts'
import { named } from './named.ts'

type Fields = typeof entryFields
type InputProperties<K extends InputName> = { [N in K]: TOptional<Fields[N]['input']> }

const inputsWhere = (holds: (field: EntryField) => unknown): TProperties =>
  Object.fromEntries(
    fieldRows.flatMap(([name, field]) => (field.input && holds(field) ? [[name, Type.Optional(field.input)]] : [])),
  )

/** The properties that both `create` and `update` take. All are optional. */
export const fieldProperties = inputsWhere(() => true) as InputProperties<InputName>

/** The properties that the front matter of a file may have. */
export const fileProperties = inputsWhere(({ inFile }) => inFile) as InputProperties<
  InputName & NamesWith<{ readonly inFile: true }>
>

/** The required properties of a new entry. */
export const requiredProperties = { type: entryFields.type.input, title: entryFields.title.input }

/** The output schemas by the names of fields. Fields outside the lean form are optional. */
export const outputProperties = Object.fromEntries(
  fieldRows.map(([name, { lean, output }]) => [name, lean ? output : Type.Optional(output)]),
) as { [K in FieldName]: Fields[K] extends { readonly lean: true } ? Fields[K]['output'] : TOptional<Fields[K]['output']> }

/**
 * Returns the columns that an input sets, for a new or an existing entry.
 * @param unknown makes or names terms that are not there
 * @throws Failure `invalid`, naming the field
 */
export function columnsFrom(
  context: Context,
  input: EntryInput,
  before: EntryRow | undefined,
  unknown?: UnknownTerms,
): Promise<EntryPatch> {
  return columnsOf(input, before, inputContext(context, unknown))
}

function inputContext(context: Context, unknown: UnknownTerms | undefined): InputContext {
  return {
    now: context.now,
    timeZone: context.site.settings.values.time_zone,
    types: context.site.types.current,
    findAuthorId: (ref) => findAuthorId(context, ref),
    findTermIds: (refs, type) => findTermIds(context, refs, type, 'terms', unknown),
    ...nameFinder(context),
    ...referenceFinder(context),
    findImageId: (ref) => findImageId(context.db, ref),
  }
}

/** Returns the look-up of objects that the values of fields refer to. */
export function referenceFinder(context: Context): Pick<FieldInput, 'findReference'> {
  return {
    findReference: (kind, ref, of) => referenceResolvers[kind](context.db, kind === 'entry' ? named(context, ref) : ref, of),
  }
}

/** Returns the look-ups of entries and terms for the conversions of fields. */
export function nameFinder(context: Context): Pick<FieldInput, 'findEntryId' | 'findGroup' | 'findTermId'> {
  const find = (ref: string) => findEntry(context.db, named(context, ref))
  return {
    findEntryId: async (ref) => (await find(ref))?.id,
    findGroup: async (ref) => {
      const entry = await find(ref)
      return entry && (entry.translation_of ?? entry.id)
    },
    findTermId: async (ref) => (await findTerm(context.db, ref))?.id,
  }
}

/** Returns a date argument as UTC milliseconds. @throws Failure `invalid` */
export function timeOf({ site }: Context, text: string | undefined, field: string): number | undefined {
  return text === undefined ? undefined : toTime(text, { field, timeZone: site.settings.values.time_zone })
}

/**
 * Returns the account with an id, an e-mail address or the slug of a public profile. Callers who can't list accounts can't name one
 * by its address. Otherwise they could find out which addresses have accounts.
 */
async function findAuthorId(context: Context, ref: string): Promise<string | undefined> {
  const { caller, db } = context
  if (ref === caller.account?.id || ref.toLowerCase() === caller.account?.email) return caller.account?.id
  const byEmail = mayLookUp(context, 'SVC_Accounts.list')
  const accounts = await db
    .selectFrom('account')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('id', '=', ref),
        eb.and([eb('slug', '=', ref), eb('public', '=', 1)]),
        ...(byEmail ? [eb('email', '=', ref.trim().toLowerCase())] : []),
      ]),
    )
    .execute()
  return (accounts.find(({ id }) => id === ref) ?? accounts[0])?.id
}
