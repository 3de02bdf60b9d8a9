// The folded text of entries, so that a search need not fold any text. The names are in a narrow table, which `has` reads
// completely, and the bodies in a separate one. `store/search/folded-entries.ts` writes the rows, because SQLite folds only ASCII
// letters.

import type { Kysely } from 'kysely'
import { createIndexes, createTables } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    entry_folded: `
      entry_id key of entry, revision integer, title text, slug text, path text?, excerpt text?, body_length integer`,
    entry_folded_body: 'entry_id key of entry, body text',
  })
  // Anonymous callers list entries newest first or by title. Without these indexes, each such list would sort all published
  // entries.
  await createIndexes(db, 'entry', { entry_status_created: 'status, created_at, id', entry_status_title: 'status, title, id' })
  // Each start compares the revisions of all entries. With this index it doesn't read their bodies.
  await createIndexes(db, 'entry', { entry_state: 'id, revision' })
}
