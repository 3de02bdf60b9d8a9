// The pages that a proposal changes: each entry before and after, from the changes of its trial.

import { type Static, Type } from 'typebox'
import { changesOf } from '../../content/entries/pending.ts'
import type { AnyRow, RowChange } from '../../store/change/change.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { nullable } from '../call/write-answer.ts'

/** An entry before and after the calls. Null where it has no page: before it is made, or in the trash. */
export interface ProposedPage {
  readonly id: string
  readonly before: EntryRow | null
  readonly after: EntryRow | null
}

export const pageItem = Type.Object({
  id: Type.String(),
  title: Type.String(),
  path: nullable(Type.String()),
  before: Type.Boolean({ description: 'Whether the entry had a page before.' }),
  after: Type.Boolean({ description: 'Whether it has a page afterwards.' }),
  differs: Type.Boolean({ description: 'Whether the page looks different afterwards, and not only who sees it.' }),
})
export type PageItem = Static<typeof pageItem>

/** Returns the changed entries in the order in which the calls change them, which is the same in every trial. */
export function proposedPages(records: readonly RowChange[]): readonly ProposedPage[] {
  const found = new Map<string, { before: AnyRow | null; after: AnyRow | null }>()
  for (const record of records) {
    if (record.kind !== 'entry' && record.kind !== 'entry_pending') continue
    const { before, after } = record.kind === 'entry' ? liveSides(record) : stagedSides(record)
    const known = found.get(record.id)
    if (known) known.after = after && { ...known.after, ...after }
    else found.set(record.id, { before, after })
  }
  return [...found].map(([id, { before, after }]) => ({ id, before: pageOf(before), after: pageOf(after) }))
}

const liveSides = ({ before, after, rows }: RowChange) => ({ before: rows?.before ?? before, after: rows?.after ?? after })

/** Staged changes over the row of the entry, which they leave as it is. */
function stagedSides({ before, after, rows }: RowChange) {
  const columns = (pending: AnyRow | null): AnyRow =>
    Object.fromEntries(
      Object.entries(changesOf(pending === null ? undefined : { changes: String(pending['changes']) })).map(
        ([column, { to }]) => [column, to],
      ),
    )
  return { before: { ...rows?.before, ...columns(before) }, after: { ...rows?.after, ...columns(after) } }
}

const pageOf = (row: AnyRow | null): EntryRow | null =>
  row === null || row['status'] === 'trash' ? null : (row as unknown as EntryRow)

/** The columns that change who sees a page, and not the page. */
const unseen: ReadonlySet<string> = new Set([
  'status',
  'published_at',
  'unpublish_at',
  'created_at',
  'updated_at',
  'revision',
  'live_revision',
  'staged',
  'position',
])

export function pageItemOf({ id, before, after }: ProposedPage): PageItem {
  const row = after ?? before
  return {
    id,
    title: row?.title ?? '',
    path: row?.path ?? null,
    before: before !== null,
    after: after !== null,
    differs: before !== null && after !== null && looksOther(before, after),
  }
}

/** True if one of the columns that a page shows differs. */
export const looksOther = (before: EntryRow, after: EntryRow): boolean =>
  Object.entries(after).some(([column, value]) => !unseen.has(column) && value !== before[column as keyof EntryRow])
