// Indexes for the public site: an author's entries by date, and pages by position. Also a column for the changed rows of a commit,
// so that other processes invalidate only the pages that read those rows.

import type { Kysely } from 'kysely'

const indexes: readonly (readonly [name: string, columns: readonly string[]])[] = [
  ['entry_author_published', ['author_id', 'status', 'published_at', 'id']],
  ['entry_children', ['parent_id', 'status', 'position', 'title', 'id']],
  ['entry_type_position', ['type', 'status', 'position', 'id']],
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, columns] of indexes)
    await db.schema
      .createIndex(name)
      .on('entry')
      .columns([...columns])
      .execute()
  await db.schema.alterTable('recent_change').addColumn('changed_rows', 'text').execute()
}
