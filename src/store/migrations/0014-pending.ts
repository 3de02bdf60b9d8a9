// Staged changes. They have a separate table, so that no public query of entries reads them.

import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('entry_pending')
    .addColumn('entry_id', 'text', (c) => c.primaryKey().references('entry.id').onDelete('cascade'))
    .addColumn('changes', 'text', (c) => c.notNull())
    .addColumn('account_id', 'text')
    .addColumn('by_name', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute()
  // The previous release writes entries without these columns.
  await db.schema
    .alterTable('entry')
    .addColumn('staged', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('entry').addColumn('live_revision', 'integer').execute()
  await db.schema.alterTable('entry_revision').addColumn('staged', 'integer').execute()
  await db.schema.createIndex('entry_staged_created').on('entry').columns(['staged', 'created_at', 'id']).execute()
  // The content of previews that no entry has.
  await db.schema
    .createTable('preview')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('entry', 'text', (c) => c.notNull())
    .addColumn('bytes', 'integer', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
}
