// Indexes for the sorts and filters of all lists, so that the cost of a page does not depend on the number of rows, and the search
// index of entries.
// An index of a sort is `(column, key)`. An index `(filter, sort, key)` serves a filter and a sort together. Three older indexes
// are prefixes of new ones and are dropped: the longer index also serves the previous release.

import type { Kysely } from 'kysely'
import { searchOf } from '../search/search.ts'
import { createIndexes } from './ddl.ts'

const indexes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  entry: {
    entry_title: 'title, id',
    entry_slug: 'slug, id',
    entry_published: 'published_at, id',
    entry_unpublish: 'unpublish_at, id',
    entry_updated: 'updated_at, id',
    entry_position: 'position, id',
    entry_status_published: 'status, published_at, id',
    entry_status_updated: 'status, updated_at, id',
    entry_type_created: 'type, created_at, id',
    entry_author_created: 'author_id, created_at, id',
    entry_parent_created: 'parent_id, created_at, id',
    entry_locale_created: 'locale, created_at, id',
  },
  entry_revision: { entry_revision_at: 'entry_id, at, revision' },
  activity: {
    activity_account: 'account_id, at, id',
    activity_token: 'token_id, at, id',
    activity_door: 'door, at, id',
    activity_call: 'call, at, id',
  },
  account: { account_name: 'name, id', account_created: 'created_at, id', account_updated: 'updated_at, id' },
  token: credentialIndexes('token'),
  app_grant: { ...credentialIndexes('app_grant'), app_grant_client: 'client, id' },
  job: {
    job_next: 'next_at, id',
    job_token: 'token_id, created_at, id',
    job_account: 'account_id, created_at, id',
    job_state_created: 'state, created_at, id',
    job_call: 'call, created_at, id',
  },
  backup: { backup_bytes: 'bytes, id' },
  skill: { skill_created: 'created_at, slug', skill_updated: 'updated_at, slug' },
}

const replaced = ['entry_parent', 'entry_due', 'entry_expiry']

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, its] of Object.entries(indexes)) await createIndexes(db, table, its)
  for (const name of replaced) await db.schema.dropIndex(name).execute()
  await searchOf(db).create(db)
}

function credentialIndexes(table: string): Record<string, string> {
  const columns = ['name', 'expires_at', 'revoked_at', 'created_at', 'updated_at']
  return Object.fromEntries(columns.map((column) => [`${table}_${column}`, `${column}, id`]))
}
