// The answers of SVC_Content: an entry in its lean or full form, and the answer of a write.

import { type TProperties, Type } from 'typebox'
import { isPublic } from '../../../content/entry.ts'
import { fullEntry, type FullEntry, leanEntry, type LeanEntry } from '../../../content/entry-item.ts'
import { leanNames, namesByColumn } from '../../../content/field-lists.ts'
import type { Warning } from '../../../content/markup.ts'
import type { EntryRow } from '../../../store/schema.ts'
import type { Context } from '../../action.ts'
import { termNames } from '../../term-names.ts'
import { writeProperties } from '../../write-answer.ts'
import { outputProperties } from './fields.ts'

/** An entry in an answer: all lean fields, and other fields that the caller selects. */
export const entryItem = Type.Object(outputProperties)

/** The answer of a write to one entry. */
export const writeOutput = <P extends TProperties>(more: P) =>
  Type.Object({
    item: entryItem,
    changed: Type.Array(Type.String(), { description: 'Fields that changed.' }),
    live: Type.Boolean({ description: 'Whether the public sees it.' }),
    ...writeProperties,
    ...more,
  })

/** Whether a caller selects more than the lean form. */
export function wantsMore(select: readonly string[] | undefined): boolean {
  return select !== undefined && !select.every((field) => leanNames.has(field))
}

/** An entry for an answer: lean, unless `select` names a field that is not. */
export function itemOf(context: Pick<Context, 'select' | 'origin' | 'now' | 'site'>, row: EntryRow): LeanEntry | FullEntry {
  const { select, origin, now } = context
  return wantsMore(select) ? fullEntry(row, origin, now, termNames(context)) : leanEntry(row, origin)
}

/** The answer of a write to one entry; dispatch fills in `activity_id`. */
export function wrote(context: Context, row: EntryRow, changed: readonly string[], warnings: readonly Warning[]) {
  return {
    item: itemOf(context, row) as never,
    changed: changed.map((column) => namesByColumn[column] ?? column),
    live: isPublic(row, context.now),
    warnings: [...warnings] as never,
    activity_id: null,
  }
}
