// An authorization code stores the limits that the owner chose. When the code is exchanged, they become the limits of the connected
// app.

import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('auth_code')
    .addColumn('limits', 'text', (c) => c.notNull().defaultTo('{}'))
    .execute()
}
