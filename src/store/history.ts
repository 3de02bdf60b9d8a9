// Stores what accompanies an object whenever it is written: a snapshot of each revision, its folded text, and the media it names. `kinds.ts` says which kinds of
// objects have these.

import type { Transaction } from 'kysely'
import type { AnyRow, Author } from './change.ts'
import { keepFolded } from './folded-entries.ts'
import { insertOf } from './compile-once.ts'
import { type Kind, kinds } from './kinds.ts'
import { keepUses } from './media-uses.ts'
import { queueWrite } from './queued-writes.ts'
import type { EntryRow, Schema } from './schema.ts'

/** Facts about a write. */
interface WriteFacts {
  readonly author: Author
  readonly now: number
  /** Whether the body has changed. Otherwise its folded text stays as it is. */
  readonly newBody: boolean
  /** The row before, null for a new one; undefined where the names of media can't have changed. */
  readonly before?: AnyRow | null
}

/** Stores the snapshot and the folded text of a row after a write, without waiting for either. */
export function keepBeside(db: Transaction<Schema>, kind: Kind, row: AnyRow, { author, now, newBody, before }: WriteFacts): void {
  const { history, folded } = kinds[kind]
  if (history) keepSnapshot(db, row, author, now)
  if (folded) keepFolded(db, row as unknown as EntryRow, newBody)
  if (folded && before !== undefined) keepUses(db, before, row)
}

function keepSnapshot(db: Transaction<Schema>, row: AnyRow, author: Author, now: number): void {
  const { accountId, name, door, action } = author
  const snapshot = { entry_id: String(row['id']), revision: Number(row['revision']), snapshot: JSON.stringify(row) }
  queueWrite(db, {
    query: insertOf(db, 'entry_revision', { ...snapshot, account_id: accountId, by_name: name, door, action, at: now }),
  })
}
