// What the latest commits have changed. A site with several processes writes it, so that a process forgets only the entries that another one has
// changed. `store/recent-changes.ts` keeps the table short.

import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('recent_change')
    .addColumn('counter', 'integer', (c) => c.primaryKey())
    .addColumn('entries', 'text', (c) => c.notNull())
    .execute()
}
