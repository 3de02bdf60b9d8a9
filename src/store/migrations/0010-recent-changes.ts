// The changes of the latest commits. A site with several processes writes them, so that a process invalidates only the entries that
// another one has changed. `store/change/recent-changes.ts` deletes old rows.

import type { Kysely } from 'kysely'
import { createTables } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, { recent_change: 'counter integer key, entries text' })
}
