// The staged changes of an entry. Each staged column has its value and the live revision that its writer started from. If the live
// column has changed since then, that is a conflict, unless both sides wrote the same value or changed different members.

import type { Change } from '../../store/change/change.ts'
import type { Db } from '../../store/core/database.ts'
import { findSnapshot } from '../../store/change/history.ts'
import type { EntryPendingRow, EntryRow } from '../../store/core/schema.ts'
import type { EntryColumn, StoredValue } from '../types/entry-field.ts'
import { rowOfSnapshot } from './entry-item.ts'
import { jsonColumns } from '../types/field-lists.ts'
import { mergeMembers } from '../types/merge-members.ts'

/** The staged columns, each with its value and the live revision that it was made from. */
export type StagedChanges = Readonly<Partial<Record<EntryColumn, { readonly to: StoredValue; readonly base: number }>>>

export interface StagedConflict {
  readonly column: EntryColumn
  readonly live: StoredValue
  readonly staged: StoredValue
}

/** An entry with its staged changes. */
export interface Merged {
  /** The entry after publishing. A column that both sides changed has the staged value. */
  readonly row: EntryRow
  /** The columns of `row` that differ from the live entry. */
  readonly patch: Partial<Record<EntryColumn, StoredValue>>
  readonly conflicts: readonly StagedConflict[]
}

export async function findPending(db: Db, entryId: string): Promise<EntryPendingRow | undefined> {
  return db.selectFrom('entry_pending').selectAll().where('entry_id', '=', entryId).executeTakeFirst()
}

/** The staged columns of a row; empty if there is no row. */
export const changesOf = (pending: Pick<EntryPendingRow, 'changes'> | undefined): StagedChanges =>
  pending === undefined ? {} : (JSON.parse(pending.changes) as StagedChanges)

/** The entry as it would be if its staged changes were published now. */
export async function mergeEntry(db: Db, entry: EntryRow): Promise<Merged> {
  const pending = entry.staged === 1 ? await findPending(db, entry.id) : undefined
  return mergeChanges(db, entry, changesOf(pending))
}

/** Merges changes that are not stored. */
export async function mergeChanges(db: Db, entry: EntryRow, changes: StagedChanges): Promise<Merged> {
  const patch: Partial<Record<EntryColumn, StoredValue>> = {}
  const conflicts: StagedConflict[] = []
  const bases = new Map<number, EntryRow | undefined>([[liveRevision(entry), entry]])
  for (const [name, { to, base }] of Object.entries(changes)) {
    const column = name as EntryColumn
    const live = entry[column]
    if (to === live) continue
    if (!bases.has(base)) bases.set(base, await findEntryAt(db, entry.id, base))
    const { value, isConflict } = mergeColumn(column, bases.get(base)?.[column], live, to)
    if (isConflict) conflicts.push({ column, live, staged: to })
    if (value !== live) patch[column] = value
  }
  return { row: { ...entry, ...(patch as Partial<EntryRow>) }, patch, conflicts }
}

/** The revision of an entry's live row, whether it is public or not. */
export const liveRevision = (entry: Pick<EntryRow, 'revision' | 'live_revision'>): number => entry.live_revision ?? entry.revision

function mergeColumn(
  column: EntryColumn,
  base: StoredValue | undefined,
  live: StoredValue,
  staged: StoredValue,
): { readonly value: StoredValue; readonly isConflict: boolean } {
  if (base === live) return { value: staged, isConflict: false }
  const members = jsonColumns.includes(column) ? mergeMembers(base, live, staged) : undefined
  return members === undefined ? { value: staged, isConflict: true } : { value: members, isConflict: false }
}

async function findEntryAt(db: Db, entryId: string, revision: number): Promise<EntryRow | undefined> {
  const snapshot = await findSnapshot(db, 'entry_revision', entryId, revision)
  return snapshot === undefined ? undefined : rowOfSnapshot(snapshot)
}

/**
 * Replaces the staged changes of an entry, as a new revision of the entry.
 * @param shown the entry with these changes
 */
export async function keepPending(
  change: Change,
  entry: EntryRow,
  changes: StagedChanges,
  { before, shown }: { readonly before: EntryPendingRow | undefined; readonly shown: EntryRow },
): Promise<EntryRow> {
  const { author, now } = change
  const after =
    Object.keys(changes).length === 0
      ? undefined
      : {
          entry_id: entry.id,
          changes: JSON.stringify(changes),
          account_id: author.accountId,
          by_name: author.name,
          at: now,
        }
  return change.stage(entry, { before, after, shown, live: liveValues(entry, changesOf(before), changes) })
}

/** The live values of columns that were not staged before, so that the record of the change shows both sides. */
function liveValues(entry: EntryRow, before: StagedChanges, after: StagedChanges): Record<string, StoredValue> {
  const added = Object.keys(after).filter((column) => !(column in before))
  return Object.fromEntries(added.map((column) => [column, entry[column as EntryColumn]]))
}
