// Imports of other sites: the runs, and what belongs to an old site by its old id, so that a second run updates it. Comments and
// members of old sites have no place yet, and are kept as rows. A record may be a part of another one, with which it is undone.

import { type Kysely, sql } from 'kysely'
import { addColumns, createIndexes, createTables } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    import_run: `id key, source text, format text, file text, fingerprint text, options text, by_name text, state text, phase text,
      done bigint, progress text, report text, activity_id text, created_at bigint, updated_at bigint, finished_at bigint?`,
    import_item: `id key, source text, kind text, old_id text, object_id text, digest text?, earlier text?, addresses text, run_id text`,
    import_comment: `id key, source text, old_id text, entry_id text?, parent_id text?, name text, email text?, website text?,
      posted_at bigint, html text, approved integer, run_id text`,
    import_member: `id key, source text, old_id text, email text, name text?, joined_at bigint?, subscribed integer, run_id text`,
  })
  await createIndexes(db, 'import_run', { import_run_by_time: 'created_at, id' })
  await createIndexes(db, 'import_item', { import_item_by_source: 'source, kind', import_item_by_object: 'object_id' })
  await createIndexes(db, 'import_comment', { import_comment_by_run: 'run_id', import_comment_by_entry: 'entry_id' })
  await createIndexes(db, 'import_member', { import_member_by_run: 'run_id' })
  await addColumns(db, 'activity', 'part_of text?')
  // Most records are parts of nothing. An index that had those would be taken for lists, which then sort all records.
  await db.schema
    .createIndex('activity_by_whole')
    .on('activity')
    .column('part_of')
    .where(sql`part_of`, 'is not', null)
    .execute()
}
