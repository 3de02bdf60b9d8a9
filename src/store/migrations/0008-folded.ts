// The text of entries with its letters folded, so that finding text in them folds nothing: a narrow table that is read as a whole for
// `has` on names, and the bodies apart. The rows are made by code (`store/folded-entries.ts`): SQLite folds ASCII letters only.

import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('entry_folded')
    .addColumn('entry_id', 'text', (c) => c.primaryKey().references('entry.id').onDelete('cascade'))
    .addColumn('revision', 'integer', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('slug', 'text', (c) => c.notNull())
    .addColumn('path', 'text')
    .addColumn('excerpt', 'text')
    .addColumn('body_length', 'integer', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('entry_folded_body')
    .addColumn('entry_id', 'text', (c) => c.primaryKey().references('entry.id').onDelete('cascade'))
    .addColumn('body', 'text', (c) => c.notNull())
    .execute()
  // What strangers list by, the newest first or by title: without these each such list sorted all published entries.
  await db.schema.createIndex('entry_status_created').on('entry').columns(['status', 'created_at', 'id']).execute()
  await db.schema.createIndex('entry_status_title').on('entry').columns(['status', 'title', 'id']).execute()
  // Each start compares the revisions of all entries: this index spares it their bodies.
  await db.schema.createIndex('entry_state').on('entry').columns(['id', 'revision']).execute()
}
