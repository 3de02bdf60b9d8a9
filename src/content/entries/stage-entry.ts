// Staged changes of an entry, which wait for publication: stages, publishes and discards them. `pending.ts` merges them.

import { cutText } from '../../base/cut-text.ts'
import { Failure } from '../../base/failure.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { checkStagingLimits } from './allowed.ts'
import type { EntryColumn, StoredValue } from '../types/entry-field.ts'
import { namesByColumn } from '../types/field-lists.ts'
import { changesOf, findPending, keepPending, liveRevision, mergeChanges, type StagedConflict } from './pending.ts'
import type { Timing } from './status.ts'
import { changeEntry, type EntryPatch, type EntryWriting, placedPatch, type WrittenEntry } from './write-entry.ts'

/** The columns that take effect at once, because a staged status, date or password would have no meaning. */
export const timingColumns = ['status', 'published_at', 'unpublish_at', 'password_hash'] as const

export interface StagingRule {
  /**
   * True if the caller read the current entry and gave whole values, which settle conflicts with the live entry. False for an edit
   * of a part: a staged column then keeps the revision that it was made from.
   */
  readonly whole: boolean
}

/**
 * Stages columns of an entry. A column that gets its live value is no longer staged.
 * @param entry the live row
 * @throws Failure as `placedPatch` does; `invalid` for a status or a date; `refused` if a limit of the caller excludes the entry
 */
export async function stageEntry(
  writing: EntryWriting,
  entry: EntryRow,
  given: EntryPatch,
  { whole }: StagingRule,
): Promise<WrittenEntry> {
  const { change, caller } = writing
  const pending = await findPending(change.db, entry.id)
  const known = changesOf(pending)
  const { row: merged, conflicts } = await mergeChanges(change.db, entry, known)
  const { path: _path, ...patch } = await placedPatch(writing, merged, given)
  checkStagingLimits(caller, entry)
  checkStagingLimits(caller, { ...merged, ...patch })
  checkTiming(entry, patch)
  const changes: Partial<Record<EntryColumn, { to: StoredValue; base: number }>> = { ...known }
  for (const [name, to] of Object.entries(patch)) {
    const column = name as EntryColumn
    const before = known[column]
    if (to === entry[column]) delete changes[column]
    else if (before === undefined || (whole && conflicts.some((one) => one.column === column)))
      changes[column] = { to, base: liveRevision(entry) }
    else changes[column] = { to, base: before.base }
  }
  if (JSON.stringify(changes) === JSON.stringify(known)) {
    // An update without columns still checks the revision that the caller read.
    await change.update('entry', entry, {})
    return { row: merged, changed: [] }
  }
  const shown = (await mergeChanges(change.db, entry, changes)).row
  const { revision, staged, live_revision: live } = await keepPending(change, entry, changes, { before: pending, shown })
  const columns = (Object.keys(patch) as EntryColumn[]).filter(
    (column) => JSON.stringify(known[column]) !== JSON.stringify(changes[column]),
  )
  return { row: { ...shown, revision, staged, live_revision: live }, changed: columns }
}

function checkTiming(entry: EntryRow, patch: EntryPatch): void {
  const column = timingColumns.find((one) => patch[one] !== undefined && patch[one] !== entry[one])
  if (column === undefined) return
  const field = column === 'password_hash' ? 'password' : column
  throw new Failure('invalid', `"${field}" takes effect at once, so it can't wait with other changes.`, {
    field,
    expected: 'left out',
    hint: 'SVC_Content.publish and unpublish change it; a call with nothing but these fields does so too.',
  })
}

/**
 * Makes an entry public, with its staged changes.
 * @param apply false to leave the staged changes staged
 * @throws Failure as `changeEntry` does; `conflict` with both values for each column that both sides changed
 */
export async function publishEntry(
  writing: EntryWriting,
  entry: EntryRow,
  timing: Timing,
  apply: boolean,
): Promise<WrittenEntry> {
  const { change } = writing
  const { status, published_at, unpublish_at } = timing
  const pending = entry.staged === 1 && apply ? await findPending(change.db, entry.id) : undefined
  if (!pending) return changeEntry(writing, entry, { status, published_at, unpublish_at })
  const { patch, conflicts } = await mergeChanges(change.db, entry, changesOf(pending))
  if (conflicts.length > 0) throw conflictOf(entry, conflicts)
  const written = await changeEntry(writing, entry, { ...(patch as EntryPatch), status, published_at, unpublish_at, staged: 0 })
  if (written.changed.length > 0) {
    await change.remove('entry_pending', pending)
    return written
  }
  // The live entry already has the same values.
  return { row: await keepPending(change, entry, {}, { before: pending, shown: entry }), changed: [] }
}

/** Discards the staged changes of an entry. @throws Failure `refused` if a limit of the caller excludes the entry */
export async function discardStaged({ change, caller }: EntryWriting, entry: EntryRow): Promise<WrittenEntry> {
  checkStagingLimits(caller, entry)
  const pending = await findPending(change.db, entry.id)
  if (!pending) {
    await change.update('entry', entry, {})
    return { row: entry, changed: [] }
  }
  const row = await keepPending(change, entry, {}, { before: pending, shown: entry })
  return { row, changed: Object.keys(changesOf(pending)) }
}

const maxShownChars = 2000

function conflictOf({ revision }: EntryRow, conflicts: readonly StagedConflict[]): Failure {
  const changes = conflicts.map(({ column, live, staged }) => ({
    field: namesByColumn[column] ?? column,
    live: shown(live),
    staged: shown(staged),
  }))
  const fields = changes.map(({ field }) => field).join(', ')
  return new Failure('conflict', `The public entry changed since these changes were staged, and both changed ${fields}.`, {
    field: fields,
    revision,
    changes,
    hint: 'Stage the text that is right by SVC_Content.update with `stage: true`, or drop the staged one by SVC_Content.discard.',
  })
}

const shown = (value: StoredValue): StoredValue => (typeof value === 'string' ? cutText(value, maxShownChars) : value)
