// The backups that were made, each with the result of its last test, and the schedule of backups.

import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('backup')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('file', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('note', 'text')
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('schema', 'text', (c) => c.notNull())
    .addColumn('verified_at', 'bigint')
    .addColumn('error', 'text')
    .execute()
  await db.schema.createIndex('backup_created').on('backup').columns(['created_at', 'id']).execute()
  await db.schema
    .createTable('backup_schedule')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('every', 'text', (c) => c.notNull())
    .addColumn('daily', 'integer', (c) => c.notNull())
    .addColumn('weekly', 'integer', (c) => c.notNull())
    .addColumn('monthly', 'integer', (c) => c.notNull())
    .addColumn('next_at', 'bigint')
    .execute()
}
