// Translations of entries, the objects of each activity record, and the public profiles of accounts.

import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The group of translations of an entry. Null means the group that has the entry's own id, so that the first entry of a group is
  // not written when another joins.
  await db.schema.alterTable('entry').addColumn('translation_of', 'text').execute()
  await db.schema.createIndex('entry_translation').on('entry').columns(['translation_of', 'created_at', 'id']).execute()
  // The posts of one language, newest first.
  await db.schema.createIndex('entry_language').on('entry').columns(['type', 'status', 'locale', 'published_at', 'id']).execute()

  // Null in the records of earlier releases.
  await db.schema.alterTable('activity').addColumn('objects', 'text').execute()
  await db.schema.alterTable('activity').addColumn('about', 'text').execute()
  await db.schema.alterTable('activity_object').addColumn('path', 'text').execute()
  await db.schema.createIndex('activity_object_path').on('activity_object').columns(['path', 'object_id']).execute()

  await db.schema
    .alterTable('account')
    .addColumn('public', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  for (const column of ['slug', 'bio', 'picture']) await db.schema.alterTable('account').addColumn(column, 'text').execute()
  await db.schema.createIndex('account_slug').on('account').column('slug').unique().execute()
}
