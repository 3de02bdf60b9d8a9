// Converts a caller's input to an entry's columns. The table of fields converts each value; status and dates are decided together.

import type { EntryRow } from '../../store/core/schema.ts'
import type { EntryColumn, FieldInput, StoredValue } from '../types/entry-field.ts'
import { type EntryTypes, usualType } from '../types/entry-types.ts'
import { fieldRows, type InputName, type FieldInputOf } from '../types/field-lists.ts'
import { newTiming, settleTiming, type TimingRequest } from './status.ts'
import type { EntryPatch } from './write-entry.ts'

/** The fields that a caller may set. A field that is left out stays as it is; null clears it. */
export type EntryInput = { readonly [K in InputName]?: FieldInputOf<K> | undefined }

/** The context for the conversions of one input. */
export interface InputContext extends Omit<FieldInput, 'field' | 'stored' | 'type'> {
  readonly types: EntryTypes
  /** UTC milliseconds. */
  readonly now: number
}

/**
 * The columns that an input sets.
 * @param before undefined for a new entry
 * @throws Failure `invalid`, naming the field
 */
export async function columnsOf(input: EntryInput, before: EntryRow | undefined, context: InputContext): Promise<EntryPatch> {
  const patch: Partial<Record<EntryColumn, StoredValue>> = {}
  const type = context.types.of(input.type ?? before?.type ?? usualType)
  for (const [name, { column, toStored, blank, takesNull }] of fieldRows) {
    const given = input[name as InputName]
    if (given === undefined) continue
    const stored = patch[column] ?? before?.[column]
    if (given === null && !takesNull) patch[column] = blank ?? null
    else
      patch[column] = toStored
        ? await toStored(given as never, { ...context, field: name, stored, type })
        : (given as StoredValue)
  }
  const { status, published_at, unpublish_at } = patch as TimingRequest
  return { ...(patch as EntryPatch), ...settleTiming(before ?? newTiming, { status, published_at, unpublish_at }, context.now) }
}
