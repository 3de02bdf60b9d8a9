// Joins autosaves. While a person writes in the admin, the text is saved every few seconds, and each save alone would be a revision
// and a record. A save joins the record of the preceding save if it has the same person and entry, comes less than ten minutes
// after the first save of that record, and nothing changed in between.

import type { Transaction } from 'kysely'
import type { AnyRow, RowChange } from '../store/change/change.ts'
import type { Schema } from '../store/core/schema.ts'
import type { ActivityFacts } from './record.ts'

/** The time that one record covers, from its first save. */
const joinMs = 10 * 60_000

/** The mark in the input of an autosave's record, by which the next autosave recognizes it. */
export const autosaveMark = { autosave: true } as const

type Facts = Omit<ActivityFacts, 'input'>

/**
 * Returns the facts of an autosave, combined with those of the preceding record if it joins that record. The earlier record and its
 * revision are then removed in the transaction of the change.
 */
export async function joinAutosave<F extends Facts>(db: Transaction<Schema>, facts: F): Promise<F> {
  const [change, ...others] = facts.records
  if (!change || others.length > 0) return facts
  const earlier = await findEarlier(db, facts, change)
  if (!earlier) return facts
  await db.deleteFrom('activity_object').where('activity_id', '=', earlier.id).execute()
  await db.deleteFrom('activity').where('id', '=', earlier.id).execute()
  await db.deleteFrom('entry_revision').where('entry_id', '=', change.id).where('revision', '=', earlier.revision).execute()
  return { ...facts, id: earlier.id, now: earlier.at, records: [joined(earlier.change, change)] }
}

interface Earlier {
  readonly id: string
  readonly at: number
  readonly revision: number
  readonly change: RowChange
}

/** Finds the record of the entry's latest change, if it is an autosave that this one joins. */
async function findEarlier(
  db: Transaction<Schema>,
  { caller, call, now }: Facts,
  change: RowChange,
): Promise<Earlier | undefined> {
  const row = await db
    .selectFrom('activity_object')
    .innerJoin('activity', 'activity.id', 'activity_object.activity_id')
    .select([
      'activity.id',
      'activity.at',
      'activity.changes',
      'activity.input',
      'activity_object.revision',
      'activity_object.kind',
    ])
    .where('activity_object.object_id', '=', change.id)
    .where('activity_object.revision', '=', (change.revision ?? 0) - 1)
    .where('activity.account_id', '=', caller.account?.id ?? '')
    .where('activity.door', '=', caller.door)
    .where('activity.call', '=', call)
    .where('activity.undone_by', 'is', null)
    .where('activity.at', '>', now - joinMs)
    .executeTakeFirst()
  if (!row || row.revision === null || row.kind !== change.kind) return undefined
  const { autosave } = JSON.parse(row.input) as { readonly autosave?: unknown }
  const [before, ...others] = JSON.parse(row.changes) as RowChange[]
  if (autosave !== true || !before || others.length > 0) return undefined
  return { id: row.id, at: row.at, revision: row.revision, change: before }
}

/** Combines two changes of a row. Rows of staged changes are complete; rows of entries have only the changed columns. */
function joined(first: RowChange, second: RowChange): RowChange {
  if (second.kind === 'entry_pending') return { ...second, before: first.before, live: { ...second.live, ...first.live } }
  const before: AnyRow = { ...second.before, ...first.before }
  const after: AnyRow = { ...first.after, ...second.after }
  const columns = Object.keys(after).filter((column) => before[column] !== after[column])
  return { ...second, before: pick(before, columns), after: pick(after, columns) }
}

const pick = (row: AnyRow, columns: readonly string[]): AnyRow =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))
