// What is kept beside an object when it is written: the snapshot of each of its revisions, and its text in folded form. `kinds.ts` says which
// kinds of objects have these.

import type { Transaction } from 'kysely'
import type { AnyRow, Author } from './change.ts'
import { keepFolded } from './folded-entries.ts'
import { type Kind, kinds } from './kinds.ts'
import type { EntryRow, Schema } from './schema.ts'

/** The parts of a write that say who did it and when. */
interface Written {
  readonly author: Author
  readonly now: number
  /** Whether the body is new; otherwise the folded one stays. */
  readonly newBody: boolean
}

/** Keeps the snapshot and the folded text of a row as it stands after a write. */
export async function keepBeside(
  db: Transaction<Schema>,
  kind: Kind,
  row: AnyRow,
  { author, now, newBody }: Written,
): Promise<void> {
  const { history, folded } = kinds[kind]
  if (history) await keepSnapshot(db, row, author, now)
  if (folded) await keepFolded(db, row as unknown as EntryRow, newBody)
}

async function keepSnapshot(db: Transaction<Schema>, row: AnyRow, author: Author, now: number): Promise<void> {
  const { accountId, name, door, action } = author
  const snapshot = { entry_id: String(row['id']), revision: Number(row['revision']), snapshot: JSON.stringify(row) }
  await db
    .insertInto('entry_revision')
    .values({ ...snapshot, account_id: accountId, by_name: name, door, action, at: now })
    .execute()
}
