// What the latest commits have changed, for processes that keep entries in memory: with it they forget only what has changed. The list is bounded,
// and nothing depends on it: for a commit that is not in it, a process forgets everything.

import type { Transaction } from 'kysely'
import type { RowChange } from './change.ts'
import type { Db } from './database.ts'
import { insertOf } from './compile-once.ts'
import { queueWrite } from './queued-writes.ts'
import type { Schema } from './schema.ts'
import type { Raised } from './versions.ts'

/** How many commits the list has at most, and how many objects a commit in it may have changed. */
const maxCommits = 500
const maxObjects = 100
/** Old rows are deleted together, once in so many commits. */
const sweepEvery = 50

/** An entry that a commit has changed, and the paths that it had before or has now. */
export type ChangedEntry = readonly [id: string, ...paths: string[]]

/** Notes which entries a commit has changed. The statements are queued, so they cost no trip of their own. @param counter of the area `content` after the commit */
export function noteChanges(db: Transaction<Schema>, counter: number, records: readonly RowChange[]): void {
  const entries = records.filter(({ kind }) => kind === 'entry' || kind === 'entry_pending')
  if (entries.length > maxObjects) return
  queueWrite(db, { query: insertOf(db, 'recent_change', { counter, entries: JSON.stringify(entries.map(changedEntry)) }) })
  if (counter % sweepEvery !== 0) return
  const old = db.deleteFrom('recent_change').where('counter', '<=', counter - maxCommits)
  queueWrite(db, { query: old.compile() })
}

/** The entries that these commits have changed; undefined if it is not known for each of them. */
export async function findChangedEntries(
  { read }: { readonly read: Db },
  { after, to }: Raised,
): Promise<readonly ChangedEntry[] | undefined> {
  if (to - after > maxCommits) return undefined
  const rows = await read
    .selectFrom('recent_change')
    .select('entries')
    .where('counter', '>', after)
    .where('counter', '<=', to)
    .execute()
  if (rows.length < to - after) return undefined
  return rows.flatMap(({ entries }) => JSON.parse(entries) as ChangedEntry[])
}

function changedEntry({ id, before, after }: RowChange): ChangedEntry {
  const paths = [before?.['path'], after?.['path']].filter((path) => typeof path === 'string')
  return [id, ...new Set(paths)]
}
