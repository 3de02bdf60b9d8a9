// Types of entries that the owner defines, and the values of their fields. The values of an entry are JSON in one column, which is
// authoritative. The table `entry_value` repeats the short values, for filters and sorts of lists.

import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('entry_type')
    .addColumn('slug', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('fields', 'text', (c) => c.notNull())
    .addColumn('dropped', 'text', (c) => c.notNull())
    .addColumn('taxonomies', 'text', (c) => c.notNull())
    .addColumn('feed', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('revision', 'integer', (c) => c.notNull())
    .execute()
  for (const column of ['name', 'created_at', 'updated_at'])
    await db.schema.createIndex(`entry_type_${column}`).on('entry_type').columns([column, 'slug']).execute()
  // The default is for the previous release, which doesn't know the column.
  await db.schema
    .alterTable('entry')
    .addColumn('fields', 'text', (c) => c.notNull().defaultTo('{}'))
    .execute()
  await db.schema
    .createTable('entry_value')
    .addColumn('entry_id', 'text', (c) => c.notNull().references('entry.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('text_value', 'text')
    .addColumn('number_value', 'double precision')
    .addPrimaryKeyConstraint('entry_value_key', ['entry_id', 'name'])
    .execute()
  for (const column of ['text_value', 'number_value'])
    await db.schema.createIndex(`entry_value_${column}`).on('entry_value').columns(['name', column, 'entry_id']).execute()
}
