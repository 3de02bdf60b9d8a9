// Indexes for the sorts and filters of all lists, so that the cost of a page does not depend on the number of rows, and the search
// index of entries.
// An index of a sort is `(column, key)`. An index `(filter, sort, key)` serves a filter and a sort together. Three older indexes
// are prefixes of new ones and are dropped: the longer index also serves the previous release.

import type { Kysely } from 'kysely'
import { createSearchTables } from '../search.ts'

const indexes: readonly (readonly [name: string, table: string, columns: readonly string[]])[] = [
  ['entry_title', 'entry', ['title', 'id']],
  ['entry_slug', 'entry', ['slug', 'id']],
  ['entry_published', 'entry', ['published_at', 'id']],
  ['entry_unpublish', 'entry', ['unpublish_at', 'id']],
  ['entry_updated', 'entry', ['updated_at', 'id']],
  ['entry_position', 'entry', ['position', 'id']],
  ['entry_status_published', 'entry', ['status', 'published_at', 'id']],
  ['entry_status_updated', 'entry', ['status', 'updated_at', 'id']],
  ['entry_type_created', 'entry', ['type', 'created_at', 'id']],
  ['entry_author_created', 'entry', ['author_id', 'created_at', 'id']],
  ['entry_parent_created', 'entry', ['parent_id', 'created_at', 'id']],
  ['entry_locale_created', 'entry', ['locale', 'created_at', 'id']],
  ['entry_revision_at', 'entry_revision', ['entry_id', 'at', 'revision']],
  ['activity_account', 'activity', ['account_id', 'at', 'id']],
  ['activity_token', 'activity', ['token_id', 'at', 'id']],
  ['activity_door', 'activity', ['door', 'at', 'id']],
  ['activity_call', 'activity', ['call', 'at', 'id']],
  ['account_name', 'account', ['name', 'id']],
  ['account_created', 'account', ['created_at', 'id']],
  ['account_updated', 'account', ['updated_at', 'id']],
  ...['token', 'app_grant'].flatMap((table) =>
    ['name', 'expires_at', 'revoked_at', 'created_at', 'updated_at'].map(
      (column) => [`${table}_${column}`, table, [column, 'id']] as const,
    ),
  ),
  ['app_grant_client', 'app_grant', ['client', 'id']],
  ['job_next', 'job', ['next_at', 'id']],
  ['job_token', 'job', ['token_id', 'created_at', 'id']],
  ['job_account', 'job', ['account_id', 'created_at', 'id']],
  ['job_state_created', 'job', ['state', 'created_at', 'id']],
  ['job_call', 'job', ['call', 'created_at', 'id']],
  ['backup_bytes', 'backup', ['bytes', 'id']],
  ['skill_created', 'skill', ['created_at', 'slug']],
  ['skill_updated', 'skill', ['updated_at', 'slug']],
]

const replaced = ['entry_parent', 'entry_due', 'entry_expiry']

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, table, columns] of indexes)
    await db.schema
      .createIndex(name)
      .on(table)
      .columns([...columns])
      .execute()
  for (const name of replaced) await db.schema.dropIndex(name).execute()
  await createSearchTables(db)
}
