// The first tables: accounts, tokens, settings, entries with their history, activity records, idempotency keys and counters.

import type { CreateTableBuilder, Kysely } from 'kysely'

const revisioned = <T extends string>(table: CreateTableBuilder<T>) =>
  table
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('revision', 'integer', (c) => c.notNull())

export async function up(db: Kysely<unknown>): Promise<void> {
  await identity(db)
  await content(db)
  await history(db)
  await bookkeeping(db)
}

async function identity(db: Kysely<unknown>): Promise<void> {
  await revisioned(
    db.schema
      .createTable('account')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('email', 'text', (c) => c.notNull().unique())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('password_hash', 'text')
      .addColumn('disabled', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('epoch', 'integer', (c) => c.notNull().defaultTo(0)),
  ).execute()
  await revisioned(
    db.schema
      .createTable('token')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('account_id', 'text', (c) => c.notNull().references('account.id').onDelete('cascade'))
      .addColumn('hash', 'text', (c) => c.notNull().unique())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('scope', 'text', (c) => c.notNull())
      .addColumn('limits', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('revoked_at', 'bigint'),
  ).execute()
  await db.schema
    .createTable('token_use')
    .addColumn('token_id', 'text', (c) => c.primaryKey().references('token.id').onDelete('cascade'))
    .addColumn('used_at', 'bigint', (c) => c.notNull())
    .execute()
}

async function content(db: Kysely<unknown>): Promise<void> {
  await revisioned(
    db.schema
      .createTable('setting')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('value', 'text', (c) => c.notNull()),
  ).execute()
  // Author and parent have no foreign key: an undo restores rows in any order, and entries stay when their author's account is
  // removed.
  await revisioned(
    db.schema
      .createTable('entry')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('title', 'text', (c) => c.notNull())
      .addColumn('slug', 'text', (c) => c.notNull())
      .addColumn('path', 'text', (c) => c.unique())
      .addColumn('body', 'text', (c) => c.notNull())
      .addColumn('excerpt', 'text')
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('published_at', 'bigint')
      .addColumn('unpublish_at', 'bigint')
      .addColumn('author_id', 'text')
      .addColumn('parent_id', 'text')
      .addColumn('position', 'integer', (c) => c.notNull())
      .addColumn('seo', 'text', (c) => c.notNull())
      .addColumn('locale', 'text'),
  ).execute()
  await db.schema.createIndex('entry_listing').on('entry').columns(['type', 'status', 'published_at', 'id']).execute()
  await db.schema.createIndex('entry_parent').on('entry').columns(['parent_id']).execute()
  // Indexes for the menu, for entries that become due, and for entries that expire. All three are queried after every change.
  await db.schema
    .createIndex('entry_menu')
    .on('entry')
    .columns(['type', 'status', 'parent_id', 'position', 'title', 'id'])
    .execute()
  await db.schema.createIndex('entry_due').on('entry').columns(['status', 'published_at']).execute()
  await db.schema.createIndex('entry_expiry').on('entry').columns(['unpublish_at']).execute()
  await db.schema.createIndex('entry_created').on('entry').columns(['created_at', 'id']).execute()
  await db.schema
    .createTable('former_path')
    .addColumn('path', 'text', (c) => c.primaryKey())
    .addColumn('entry_id', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
}

async function history(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('entry_revision')
    .addColumn('entry_id', 'text', (c) => c.notNull())
    .addColumn('revision', 'integer', (c) => c.notNull())
    .addColumn('snapshot', 'text', (c) => c.notNull())
    .addColumn('account_id', 'text')
    .addColumn('by_name', 'text', (c) => c.notNull())
    .addColumn('door', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('entry_revision_key', ['entry_id', 'revision'])
    .execute()
  await db.schema
    .createTable('activity')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('account_id', 'text')
    .addColumn('token_id', 'text')
    .addColumn('by_name', 'text', (c) => c.notNull())
    .addColumn('token_name', 'text')
    .addColumn('door', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('call', 'text', (c) => c.notNull())
    .addColumn('runs', 'text', (c) => c.notNull())
    .addColumn('tier', 'text', (c) => c.notNull())
    .addColumn('effect', 'text', (c) => c.notNull())
    .addColumn('summary', 'text', (c) => c.notNull())
    .addColumn('input', 'text', (c) => c.notNull())
    .addColumn('changes', 'text', (c) => c.notNull())
    .addColumn('undone_by', 'text')
    .execute()
  await db.schema.createIndex('activity_at').on('activity').columns(['at', 'id']).execute()
  await db.schema
    .createTable('activity_object')
    .addColumn('activity_id', 'text', (c) => c.notNull().references('activity.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('object_id', 'text', (c) => c.notNull())
    .addColumn('revision', 'integer')
    .addPrimaryKeyConstraint('activity_object_key', ['activity_id', 'kind', 'object_id'])
    .execute()
  await db.schema.createIndex('activity_object_object').on('activity_object').columns(['object_id', 'kind']).execute()
}

async function bookkeeping(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('idempotency')
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('input_hash', 'text', (c) => c.notNull())
    .addColumn('answer', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotency_key', ['owner', 'key'])
    .execute()
  await db.schema
    .createTable('version')
    .addColumn('area', 'text', (c) => c.primaryKey())
    .addColumn('counter', 'integer', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('site_fact')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute()
}
