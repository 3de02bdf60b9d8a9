// Stores what accompanies an object whenever it is written: a snapshot of each revision, its folded text, and the values of its fields. `kinds.ts` says which kinds of
// objects have these.

import type { Transaction } from 'kysely'
import type { AnyRow, Author } from './change.ts'
import { keepValues } from './entry-values.ts'
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
  /** Whether the values of fields are those of a new object, or have changed. Otherwise their rows stay as they are. */
  readonly values: 'new' | 'changed' | 'same'
}

/** Stores what accompanies a row after a write, without waiting for it. */
export function keepBeside(db: Transaction<Schema>, kind: Kind, row: AnyRow, { author, now, newBody, values }: WriteFacts): void {
  const { history, folded } = kinds[kind]
  if (history) keepSnapshot(db, row, { author, now })
  if (!folded) return
  keepFolded(db, row as unknown as EntryRow, newBody)
  if (values !== 'same') keepValues(db, row as unknown as EntryRow, values === 'new')
}

/** The same after a write to what waits for an entry: the snapshot is what it would be, and the folded text stays that of the live row. */
export function keepStaged(
  db: Transaction<Schema>,
  live: EntryRow,
  shown: EntryRow,
  { author, now }: Pick<WriteFacts, 'author' | 'now'>,
): void {
  const staged = live.staged === 1 ? { staged: 1 } : {}
  keepSnapshot(db, shown as unknown as AnyRow, { author, now, ...staged })
  keepFolded(db, live, false)
}

function keepSnapshot(
  db: Transaction<Schema>,
  row: AnyRow,
  { author, now, staged }: Pick<WriteFacts, 'author' | 'now'> & { readonly staged?: number },
): void {
  const { accountId, name, door, action } = author
  const snapshot = { entry_id: String(row['id']), revision: Number(row['revision']), snapshot: JSON.stringify(row) }
  queueWrite(db, {
    query: insertOf(db, 'entry_revision', { ...snapshot, account_id: accountId, by_name: name, door, action, at: now, staged }),
  })
}
