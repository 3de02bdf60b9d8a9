// The answers of SVC_Content: an entry in its lean or full form, and the answer of a write.

import { type TProperties, Type } from 'typebox'
import { writesDraftsOnly } from '../../content/entries/allowed.ts'
import { isPublished, liveSide } from '../../content/entries/entry.ts'
import { fullEntry, type FullEntry, leanEntry, type LeanEntry } from '../../content/entries/entry-item.ts'
import type { EntryTypes } from '../../content/types/entry-types.ts'
import { leanNames, namesByColumn } from '../../content/types/field-lists.ts'
import type { Warning } from '../../content/markdown/markup.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import { namesOf } from '../shared/term-names.ts'
import { entryWaits, waitsProperty } from '../call/waits.ts'
import { type WriteWarning, writeProperties } from '../call/write-answer.ts'
import { outputProperties } from './fields.ts'

/** An entry in an answer: all lean fields, and other fields that the caller selects. */
export const entryItem = Type.Object(outputProperties)

/** The answer of a write to one entry. */
export const writeOutput = <P extends TProperties>(more: P) =>
  Type.Object({
    item: entryItem,
    changed: Type.Array(Type.String(), { description: 'Fields that changed.' }),
    live: Type.Boolean({ description: 'Whether the public sees it. False where the change waits for `publish`.' }),
    ...waitsProperty,
    ...writeProperties,
    ...more,
  })

/** True if a caller selects fields outside the lean form. */
export function wantsMore(select: readonly string[] | undefined): boolean {
  return select !== undefined && !select.every((field) => leanNames.has(field))
}

/** Returns an entry for an answer: lean, unless `select` names other fields. */
export function itemOf(
  context: Pick<Context, 'caller' | 'select' | 'origin' | 'now' | 'site' | 'db' | 'inTransaction'>,
  stored: EntryRow,
): LeanEntry | FullEntry {
  const { caller, select, origin, now, site } = context
  const row = caller.tier === 'any' ? liveSide(stored) : stored
  if (!wantsMore(select)) return leanEntry(row, origin)
  const types = site.types.current
  const item = fullEntry(row, origin, now, namesOf(context))
  const others = (select ?? []).filter((field) => field.startsWith('fields.')).map((field) => field.split('.')[1] ?? '')
  const lacking = others.filter((name) => !Object.hasOwn(item.fields, name) && isFieldOf(types, name))
  // In a list of several types, an entry has null in a field that only another type has.
  return lacking.length === 0
    ? item
    : { ...item, fields: { ...item.fields, ...Object.fromEntries(lacking.map((name) => [name, null])) } }
}

const isFieldOf = ({ all }: EntryTypes, name: string): boolean =>
  all.some(({ fields }) => fields.some((field) => field.name === name))

/**
 * Returns the answer of a write to one entry; dispatch adds `activity_id`.
 * @param staged true if the change waits for `publish`
 */
export function wrote(
  context: Context,
  row: EntryRow,
  changed: readonly string[],
  warnings: readonly (Warning | WriteWarning)[],
  staged = false,
) {
  return {
    item: itemOf(context, row) as never,
    changed: changed.map((column) => namesByColumn[column] ?? column),
    live: !staged && isPublished(row, context.now),
    ...(waitsForPerson(context, row, staged) && { waits: entryWaits(context, row.id, staged && isPublished(row, context.now)) }),
    warnings: [...warnings] as never,
    activity_id: null,
  }
}

/** True if a person has to publish what a call wrote: staged changes, or a draft of a caller who only writes drafts. */
const waitsForPerson = ({ caller, dryRun }: Context, { status }: EntryRow, staged: boolean): boolean =>
  !dryRun && (staged || (status === 'draft' && writesDraftsOnly(caller)))
