// Translations of entries, the objects of each activity record, and the public profiles of accounts.

import type { Kysely } from 'kysely'
import { addColumns, createIndexes } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The group of translations of an entry. Null means the group that has the entry's own id, so that the first entry of a group is
  // not written when another joins.
  await addColumns(db, 'entry', 'translation_of text?')
  await createIndexes(db, 'entry', { entry_translation: 'translation_of, created_at, id' })
  // The posts of one language, newest first.
  await createIndexes(db, 'entry', { entry_language: 'type, status, locale, published_at, id' })

  // Null in the records of earlier releases.
  await addColumns(db, 'activity', 'objects text?, about text?')
  await addColumns(db, 'activity_object', 'path text?')
  await createIndexes(db, 'activity_object', { activity_object_path: 'path, object_id' })

  await addColumns(db, 'account', 'public integer = 0, slug text?, bio text?, picture text?')
  await db.schema.createIndex('account_slug').on('account').column('slug').unique().execute()
}
