// An authorization code carries the limits that its owner chose beside the scope, until they become those of the connected app.

import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('auth_code')
    .addColumn('limits', 'text', (c) => c.notNull().defaultTo('{}'))
    .execute()
}
