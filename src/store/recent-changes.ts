// The changes of the latest commits, for processes that keep entries and pages in memory: with it they forget only what has
// changed. The list is bounded, and nothing depends on it: for a commit that is not in it, a process forgets everything.

import type { Transaction } from 'kysely'
import type { RowChange } from './change.ts'
import type { Db } from './database.ts'
import { insertOf } from './compile-once.ts'
import { queueWrite } from './queued-writes.ts'
import { type ChangedRow, countersOf } from './page-areas.ts'
import type { Schema } from './schema.ts'
import type { Raised } from './versions.ts'

/** The most commits in the list, and the most objects that a commit in it may have changed. */
const maxCommits = 500
const maxObjects = 100
/** Old rows are deleted together, once in so many commits. */
const sweepEvery = 50

/** An entry that a commit has changed, and the paths that it had before or has now. */
export type ChangedEntry = readonly [id: string, ...paths: string[]]

/** The changes of some commits. */
interface RecentChanges {
  readonly entries: readonly ChangedEntry[]
  /** Undefined if it isn't known for each of them, as with a process of an earlier release. */
  readonly rows: readonly ChangedRow[] | undefined
}

/** Notes what a commit has changed. The statements are queued, so they cost no trip of their own. @param counter of the area `content` after the commit */
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
