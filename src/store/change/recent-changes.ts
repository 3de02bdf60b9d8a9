// The changes of the latest commits, for processes that cache entries and pages: they invalidate only changed entries and pages.
// The list is bounded, and nothing depends on it: after a commit that is not in it, a process clears its whole cache.

import type { Transaction } from 'kysely'
import type { RowChange } from './change.ts'
import type { Db } from '../core/database.ts'
import { insertOf } from '../core/compile-once.ts'
import { queueWrite } from '../core/queued-writes.ts'
import { type ChangedRow, countersOf } from './page-areas.ts'
import type { Schema } from '../core/schema.ts'
import type { Raised } from './versions.ts'

/** The most commits in the list, and the most changed objects of a commit in it. */
const maxCommits = 500
const maxObjects = 100
/** The number of commits between two deletions of old rows. */
const sweepEvery = 50

/** A changed entry with its paths before and after. */
export type ChangedEntry = readonly [id: string, ...paths: string[]]

/** The changes of some commits. */
interface RecentChanges {
  readonly entries: readonly ChangedEntry[]
  /** Undefined if the rows of any commit are unknown, as for a process of an earlier release. */
  readonly rows: readonly ChangedRow[] | undefined
}

/**
 * Stores the changes of a commit. The statements are queued, so they need no separate trip. @param counter of the area `content`
 * after the commit
 */
export function noteChanges(
  db: Transaction<Schema>,
  counter: number,
  records: readonly RowChange[],
  rows: readonly ChangedRow[],
): void {
  if (records.length > maxObjects) return
  const entries = records.filter(({ kind }) => kind === 'entry' || kind === 'entry_pending').map(changedEntry)
  const ofContent = rows.filter((row) => countersOf([row]).includes('content'))
  const row = { counter, entries: JSON.stringify(entries), changed_rows: JSON.stringify(ofContent) }
  queueWrite(db, { query: insertOf(db, 'recent_change', row) })
  if (counter % sweepEvery !== 0) return
  const old = db.deleteFrom('recent_change').where('counter', '<=', counter - maxCommits)
  queueWrite(db, { query: old.compile() })
}

/** Returns the changes of these commits; undefined if those of any commit are unknown. */
export async function findChanges({ read }: { readonly read: Db }, { after, to }: Raised): Promise<RecentChanges | undefined> {
  if (to - after > maxCommits) return undefined
  const rows = await read
    .selectFrom('recent_change')
    .select(['entries', 'changed_rows'])
    .where('counter', '>', after)
    .where('counter', '<=', to)
    .execute()
  if (rows.length < to - after) return undefined
  const known = rows.every(({ changed_rows: changed }) => changed !== null)
  return {
    entries: rows.flatMap(({ entries }) => JSON.parse(entries) as ChangedEntry[]),
    rows: known ? rows.flatMap(({ changed_rows: changed }) => JSON.parse(changed ?? '[]') as ChangedRow[]) : undefined,
  }
}

function changedEntry({ id, before, after }: RowChange): ChangedEntry {
  const paths = [before?.['path'], after?.['path']].filter((path) => typeof path === 'string')
  return [id, ...new Set(paths)]
}
