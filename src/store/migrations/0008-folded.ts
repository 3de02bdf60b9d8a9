// The folded text of entries, so that a search need not fold any text. The names are in a narrow table, which `has` reads
// completely, and the bodies in a separate one. `store/folded-entries.ts` writes the rows, because SQLite folds only ASCII letters.

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
  // Anonymous callers list entries newest first or by title. Without these indexes, each such list would sort all published
  // entries.
  await db.schema.createIndex('entry_status_created').on('entry').columns(['status', 'created_at', 'id']).execute()
  await db.schema.createIndex('entry_status_title').on('entry').columns(['status', 'title', 'id']).execute()
  // Each start compares the revisions of all entries. With this index it doesn't read their bodies.
  await db.schema.createIndex('entry_state').on('entry').columns(['id', 'revision']).execute()
}
