// Indexes that say which entries visitors see. SQLite keeps the columns of an entry behind its text: without these, a list reads
// the texts of all entries before its page.

import type { Kysely } from 'kysely'
import { createIndexes } from './ddl.ts'

const indexes = {
  entry_listing: 'type, status, published_at, id, unpublish_at, password_hash',
  entry_author_published: 'author_id, status, published_at, id, type, unpublish_at, password_hash',
  entry_language: 'type, status, locale, published_at, id, unpublish_at, password_hash',
  entry_state: 'id, status, revision, published_at, unpublish_at, password_hash, locale',
}

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of Object.keys(indexes)) await db.schema.dropIndex(name).execute()
  await createIndexes(db, 'entry', indexes)
}
