// Stores what accompanies an object whenever it is written: a snapshot of each revision, and its folded text. `kinds.ts` says which kinds of
// objects have these.

import type { Transaction } from 'kysely'
import type { AnyRow, Author } from './change.ts'
import { keepFolded } from './folded-entries.ts'
import { insertOf } from './compile-once.ts'
import { type Kind, kinds } from './kinds.ts'
import { queueWrite } from './queued-writes.ts'
import type { EntryRow, Schema } from './schema.ts'

/** Facts about a write. */
interface WriteFacts {
  readonly author: Author
  readonly now: number
  /** Whether the body has changed. Otherwise its folded text stays as it is. */
  readonly newBody: boolean
}

/** Stores the snapshot and the folded text of a row after a write, without waiting for either. */
export function keepBeside(db: Transaction<Schema>, kind: Kind, row: AnyRow, { author, now, newBody }: WriteFacts): void {
  const { history, folded } = kinds[kind]
  if (history === true) keepSnapshot(db, row, author, now)
  else if (history) keepThemeSnapshot(db, kind, row, author, now)
  if (folded) keepFolded(db, row as unknown as EntryRow, newBody)
}

function keepSnapshot(db: Transaction<Schema>, row: AnyRow, author: Author, now: number): void {
  const { accountId, name, door, action } = author
  const snapshot = { entry_id: String(row['id']), revision: Number(row['revision']), snapshot: JSON.stringify(row) }
  queueWrite(db, {
    query: insertOf(db, 'entry_revision', { ...snapshot, account_id: accountId, by_name: name, door, action, at: now }),
  })
}

function keepThemeSnapshot(db: Transaction<Schema>, kind: Kind, row: AnyRow, author: Author, now: number): void {
  const { accountId, name, door, action } = author
  const snapshot = { object_id: String(row[kinds[kind].key]), revision: Number(row['revision']), snapshot: JSON.stringify(row) }
  queueWrite(db, {
    query: insertOf(db, 'theme_revision', { ...snapshot, account_id: accountId, by_name: name, door, action, at: now }),
  })
}
