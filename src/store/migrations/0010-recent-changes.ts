// The changes of the latest commits. A site with several processes writes them, so that a process invalidates only the entries that
// another one has changed. `store/recent-changes.ts` deletes old rows.

import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('recent_change')
    .addColumn('counter', 'integer', (c) => c.primaryKey())
    .addColumn('entries', 'text', (c) => c.notNull())
    .execute()
}
