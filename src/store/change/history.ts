// Stores the derived rows of each written object, its folded text, and a snapshot of the revision. `kinds.ts` names the
// kinds with snapshots and folded texts.

import type { Transaction } from 'kysely'
import type { AnyRow, Author } from './change.ts'
import type { Db } from '../core/database.ts'
import { keepValues } from './entry-values.ts'
import { keepFolded } from '../search/folded-entries.ts'
import { insertOf } from '../core/compile-once.ts'
import { type Kind, kinds } from './kinds.ts'
import { keepUses } from './media-uses.ts'
import { queueWrite } from '../core/queued-writes.ts'
import { keepEntryTerms, keepTermsAbove } from './entry-terms.ts'
import { keepMenuReferences } from './menu-references.ts'
import type { EntryRow, MenuRow, Schema, TermRow } from '../core/schema.ts'

interface WriteFacts {
  readonly author: Author
  readonly now: number
  /** True if the body has changed. Otherwise its folded text is not updated. */
  readonly newBody: boolean
  /** The columns that changed; undefined for a new object. */
  readonly changed?: readonly string[] | undefined
  /** The row before, null for a new object; undefined if the names of media can't have changed. */
  readonly before?: AnyRow | null
}

type Keep<Row> = (db: Transaction<Schema>, row: Row, changed: readonly string[] | undefined) => void

const derived: { readonly [K in Kind]?: Keep<never> } = {
  entry: ((db, row, changed) => {
    keepEntryTerms(db, row, changed)
    if (!changed || changed.includes('fields')) keepValues(db, row, !changed)
  }) satisfies Keep<EntryRow>,
  term: ((db, row, changed) => {
    if (changed?.includes('parent_id')) keepTermsAbove(db, row)
  }) satisfies Keep<TermRow>,
  menu: ((db, row, changed) => {
    if (!changed || changed.includes('items')) keepMenuReferences(db, row, !changed)
  }) satisfies Keep<MenuRow>,
}

/** Queues the snapshot, the folded text and the derived rows of a written row. */
export function keepDerivedRows(
  db: Transaction<Schema>,
  kind: Kind,
  row: AnyRow,
  { author, now, newBody, changed, before }: WriteFacts,
): void {
  const { history, folded } = kinds[kind]
  if (history) keepSnapshot(db, history === true ? 'entry_revision' : history, String(row[kinds[kind].key]), row, { author, now })
  if (folded) keepFolded(db, row as unknown as EntryRow, newBody)
  if (folded && before !== undefined) keepUses(db, before, row)
  derived[kind]?.(db, row as never, changed)
}

/** The same for staged changes: the snapshot is the entry with the changes, and the folded text is that of the live row. */
export function keepStaged(
  db: Transaction<Schema>,
  live: EntryRow,
  shown: EntryRow,
  { author, now }: Pick<WriteFacts, 'author' | 'now'>,
): void {
  const staged = live.staged === 1 ? { staged: 1 } : {}
  keepSnapshot(db, 'entry_revision', live.id, shown as unknown as AnyRow, { author, now }, staged)
  keepFolded(db, live, false)
}

function keepSnapshot(
  db: Transaction<Schema>,
  table: RevisionTable,
  id: string,
  row: AnyRow,
  { author, now }: Pick<WriteFacts, 'author' | 'now'>,
  more: { readonly staged?: number } = {},
): void {
  const { accountId, name, door, action } = author
  const snapshot = { [objectColumns[table]]: id, revision: Number(row['revision']), snapshot: JSON.stringify(row), ...more }
  queueWrite(db, { query: insertOf(db, table, { ...snapshot, account_id: accountId, by_name: name, door, action, at: now }) })
}

/** The tables of revisions, with the column of the object's id. */
export const objectColumns = { entry_revision: 'entry_id', theme_revision: 'object_id' } as const
export type RevisionTable = keyof typeof objectColumns

/** Returns an object at a revision, as JSON. */
export async function findSnapshot(db: Db, table: RevisionTable, id: string, revision: number): Promise<string | undefined> {
  const kept = await db
    .selectFrom(table as 'entry_revision')
    .select('snapshot')
    .where(objectColumns[table] as 'entry_id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return kept?.snapshot
}

/** Returns the last revision of a theme's states or of a file, also of a removed file. */
export async function findLastRevision(db: Db, objectId: string): Promise<number | undefined> {
  const last = await db
    .selectFrom('theme_revision')
    .select('revision')
    .where('object_id', '=', objectId)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.revision
}
