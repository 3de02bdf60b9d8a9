// Indexes for the public site: an author's entries by date, and pages by position. Also a column for the changed rows of a commit,
// so that other processes invalidate only the pages that read those rows.

import type { Kysely } from 'kysely'
import { addColumns, createIndexes } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexes(db, 'entry', {
    entry_author_published: 'author_id, status, published_at, id',
    entry_children: 'parent_id, status, position, title, id',
    entry_type_position: 'type, status, position, id',
  })
  await addColumns(db, 'recent_change', 'changed_rows text?')
}
