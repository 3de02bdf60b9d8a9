// The first tables: accounts, tokens, settings, entries with their history, activity records, idempotency keys and counters.

import type { Kysely } from 'kysely'
import { createIndexes, createTables, revisioned } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await identity(db)
  await content(db)
  await history(db)
  await bookkeeping(db)
}

async function identity(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    account: `
      id key, email text unique, name text, role text, password_hash text?, disabled integer = 0, epoch integer = 0,
      ${revisioned}`,
    token: `
      id key, account_id text of account, hash text unique, name text, scope text, limits text, expires_at bigint?,
      revoked_at bigint?, ${revisioned}`,
    token_use: 'token_id key of token, used_at bigint',
  })
}

async function content(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    setting: `key key, value text, ${revisioned}`,
    // Author and parent have no foreign key: an undo restores rows in any order, and entries stay when their author's account is
    // removed.
    entry: `
      id key, type text, title text, slug text, path text? unique, body text, excerpt text?, status text,
      published_at bigint?, unpublish_at bigint?, author_id text?, parent_id text?, position integer, seo text, locale text?,
      ${revisioned}`,
  })
  await createIndexes(db, 'entry', { entry_listing: 'type, status, published_at, id', entry_parent: 'parent_id' })
  // Indexes for the menu, for entries that become due, and for entries that expire. All three are queried after every change.
  await createIndexes(db, 'entry', {
    entry_menu: 'type, status, parent_id, position, title, id',
    entry_due: 'status, published_at',
    entry_expiry: 'unpublish_at',
    entry_created: 'created_at, id',
  })
  await createTables(db, { former_path: 'path key, entry_id text, created_at bigint' })
}

async function history(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    entry_revision: `
      entry_id text, revision integer, snapshot text, account_id text?, by_name text, door text, action text, at bigint;
      primary key (entry_id, revision)`,
    activity: `
      id key, at bigint, account_id text?, token_id text?, by_name text, token_name text?, door text, address text, call text,
      runs text, tier text, effect text, summary text, input text, changes text, undone_by text?`,
  })
  await createIndexes(db, 'activity', { activity_at: 'at, id' })
  await createTables(db, {
    activity_object: `
      activity_id text of activity, kind text, object_id text, revision integer?; primary key (activity_id, kind, object_id)`,
  })
  await createIndexes(db, 'activity_object', { activity_object_object: 'object_id, kind' })
}

async function bookkeeping(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    idempotency: 'owner text, key text, input_hash text, answer text, at bigint; primary key (owner, key)',
    version: 'area key, counter integer',
    site_fact: 'name key, value text',
  })
}
