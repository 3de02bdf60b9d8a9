// What the public site needs: the entries of an author by date, and pages by their position. And what a
// commit has changed of the rows that pages read, so that other processes drop only the pages that read them.

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
