// How SVC_Content's answers look: an entry lean or whole, and what a write says of it.

import { type TProperties, Type } from 'typebox'
import {
  entryStatuses,
  entryTypes,
  fullEntry,
  type FullEntry,
  isPublic,
  leanColumns,
  leanEntry,
  type LeanEntry,
} from '../../../content/entry.ts'
import type { Warning } from '../../../content/markup.ts'
import { kinds } from '../../../store/kinds.ts'
import type { EntryRow } from '../../../store/schema.ts'
import type { Context } from '../../action.ts'
import { nullable, writeProperties } from '../../write-answer.ts'

const date = Type.String({ description: 'UTC, such as 2026-11-21T06:55:48.000Z.' })

const lean = {
  id: Type.String(),
  type: Type.Enum([...entryTypes]),
  title: Type.String(),
  slug: Type.String(),
  path: nullable(Type.String(), 'Null in the trash.'),
  url: nullable(Type.String()),
  status: Type.Enum([...entryStatuses]),
  published_at: nullable(date),
  unpublish_at: nullable(date),
  created_at: date,
  updated_at: date,
  revision: Type.Integer(),
}

const rest = {
  excerpt: Type.Optional(nullable(Type.String())),
  author: Type.Optional(nullable(Type.String(), 'Id of an account.')),
  parent: Type.Optional(nullable(Type.String(), 'Id of a page.')),
  position: Type.Optional(Type.Integer()),
  seo: Type.Optional(
    Type.Object({
      title: nullable(Type.String()),
      description: nullable(Type.String()),
      canonical: nullable(Type.String()),
      noindex: Type.Boolean(),
    }),
  ),
  locale: Type.Optional(nullable(Type.String())),
  live_revision: Type.Optional(nullable(Type.Integer(), 'The revision that the public sees; null while it sees none.')),
  body: Type.Optional(Type.String({ description: 'Markdown.' })),
}

/** Properties of an entry in an answer: all of the lean ones, the others where they were asked for. */
export const entryProperties = { ...lean, ...rest }
export const entryItem = Type.Object(entryProperties)

/** The answer of a write to one entry. */
export const writeOutput = <P extends TProperties>(more: P) =>
  Type.Object({
    item: entryItem,
    changed: Type.Array(Type.String(), { description: 'Fields that are not as they were.' }),
    live: Type.Boolean({ description: 'Whether the public sees it.' }),
    ...writeProperties,
    ...more,
  })

/** Whether a caller wants more of entries than their lean form. */
export function wantsMore(select: readonly string[] | undefined): boolean {
  return select !== undefined && !select.every((field) => field === 'url' || (leanColumns as readonly string[]).includes(field))
}

/** An entry as an answer shows it: lean, unless `select` names what only the whole has. */
export function itemOf(
  { select, origin, now }: Pick<Context, 'select' | 'origin' | 'now'>,
  row: EntryRow,
): LeanEntry | FullEntry {
  return wantsMore(select) ? fullEntry(row, origin, now) : leanEntry(row, origin)
}

/** The answer of a write to one entry; `activity_id` is put in by dispatch. */
export function wrote(context: Context, row: EntryRow, changed: readonly string[], warnings: readonly Warning[]) {
  const names: Readonly<Record<string, string>> = kinds.entry.shownAs
  return {
    item: itemOf(context, row) as never,
    changed: changed.map((column) => names[column] ?? column),
    live: isPublic(row, context.now),
    warnings: [...warnings] as never,
    activity_id: null,
  }
}
