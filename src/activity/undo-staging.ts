// Undoes staged changes of an entry, column by column, so that later changes to other columns stay staged.

import { checkStagingLimits } from '../content/entries/allowed.ts'
import { changesOf, findPending, keepPending, mergeChanges, type StagedChanges } from '../content/entries/pending.ts'
import type { RowChange } from '../store/change/change.ts'
import type { Obstacle, Undoing } from './undo-row.ts'

/** Restores the staged columns that a record changed. Undoing a `publish` or a `discard` stages them again. */
export async function undoStaging(
  { change, caller, force, overwrites }: Undoing,
  { id, before, after }: RowChange,
): Promise<Obstacle | undefined> {
  const entry = await change.db.selectFrom('entry').selectAll().where('id', '=', id).executeTakeFirst()
  if (!entry) return { sentence: 'the entry is gone by now', fields: [], lasting: true }
  checkStagingLimits(caller, entry)
  const pending = await findPending(change.db, id)
  const [was, made] = [changesOf(asPending(before)), changesOf(asPending(after))]
  const now: Record<string, StagedChanges[keyof StagedChanges]> = { ...changesOf(pending) }
  const columns = [...new Set([...Object.keys(was), ...Object.keys(made)])].filter((name) => !isSame(was, made, name))
  const later = columns.filter((name) => !isSame(now as StagedChanges, made, name))
  if (later.length > 0 && force) overwrites?.(later.map((name) => `staged.${name}`))
  else if (later.length > 0) {
    const what = `${later.join(', ')} ${later.length === 1 ? 'was' : 'were'} staged or published since`
    return { sentence: what, fields: later.map((name) => `staged.${name}`), lasting: false }
  }
  for (const name of columns) {
    const value = was[name as keyof StagedChanges]
    if (value === undefined) delete now[name]
    else now[name] = value
  }
  const changes = now as StagedChanges
  if (JSON.stringify(changes) === JSON.stringify(changesOf(pending))) return undefined
  const { row: shown } = await mergeChanges(change.db, entry, changes)
  await keepPending(change, entry, changes, { before: pending, shown })
  return undefined
}

const asPending = (row: RowChange['before']): { readonly changes: string } | undefined =>
  row === null ? undefined : { changes: String(row['changes']) }

const isSame = (a: StagedChanges, b: StagedChanges, name: string): boolean =>
  JSON.stringify(a[name as keyof StagedChanges]) === JSON.stringify(b[name as keyof StagedChanges])
