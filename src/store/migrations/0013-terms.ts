// Taxonomies and their terms, menus, redirects, and missing paths.
// `entry_term` repeats status and date of its entry, because no index spans two tables. The archive of a term is then read in its
// order, however many entries the term has.

import type { CreateTableBuilder, Kysely } from 'kysely'

const revisioned = <T extends string>(table: CreateTableBuilder<T>) =>
  table
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('revision', 'integer', (c) => c.notNull())

/** Each sort of a list has an index. */
const indexes: readonly (readonly [name: string, table: string, columns: readonly string[]])[] = [
  ['entry_term_public', 'entry_term', ['term_id', 'status', 'published_at', 'entry_id']],
  ...['name', 'slug', 'created_at', 'updated_at'].map(
    (column) => [`term_${column}`, 'term', ['taxonomy', column, 'id']] as const,
  ),
  ['term_parent', 'term', ['parent_id', 'name', 'id']],
  ['menu_reference_target', 'menu_reference', ['target_id', 'kind']],
  ...['target', 'created_at', 'updated_at'].map((column) => [`redirect_${column}`, 'redirect', [column, 'id']] as const),
  ['redirect_source', 'redirect', ['source', 'id']],
  ['former_path_created', 'former_path', ['created_at', 'path']],
  ['missing_path_hits', 'missing_path', ['hits', 'path']],
  ['missing_path_last_hit', 'missing_path', ['last_hit', 'path']],
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('entry')
    .addColumn('terms', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute()
  await terms(db)
  await menus(db)
  await redirects(db)
  for (const [name, table, columns] of indexes)
    await db.schema
      .createIndex(name)
      .on(table)
      .columns([...columns])
      .execute()
}

async function terms(db: Kysely<unknown>): Promise<void> {
  await revisioned(
    db.schema
      .createTable('taxonomy')
      .addColumn('slug', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('types', 'text')
      .addColumn('tree', 'integer', (c) => c.notNull())
      .addColumn('deleted', 'integer', (c) => c.notNull().defaultTo(0)),
  ).execute()
  // The parent has no foreign key, because an undo restores rows in any order.
  await revisioned(
    db.schema
      .createTable('term')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('taxonomy', 'text', (c) => c.notNull())
      .addColumn('slug', 'text', (c) => c.notNull())
      .addColumn('ref', 'text', (c) => c.notNull().unique())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('parent_id', 'text')
      .addColumn('text', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('seo', 'text', (c) => c.notNull().defaultTo('{}')),
  ).execute()
  await db.schema
    .createTable('entry_term')
    .addColumn('entry_id', 'text', (c) => c.notNull().references('entry.id').onDelete('cascade'))
    .addColumn('term_id', 'text', (c) => c.notNull().references('term.id').onDelete('cascade'))
    .addColumn('own', 'integer', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('published_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('entry_term_key', ['entry_id', 'term_id'])
    .execute()
}

async function menus(db: Kysely<unknown>): Promise<void> {
  await revisioned(
    db.schema
      .createTable('menu')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('slug', 'text', (c) => c.notNull().unique())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('location', 'text', (c) => c.unique())
      .addColumn('items', 'text', (c) => c.notNull()),
  ).execute()
  await db.schema
    .createTable('menu_reference')
    .addColumn('menu_id', 'text', (c) => c.notNull().references('menu.id').onDelete('cascade'))
    .addColumn('item_id', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('target_id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('menu_reference_key', ['menu_id', 'item_id'])
    .execute()
}

async function redirects(db: Kysely<unknown>): Promise<void> {
  await revisioned(
    db.schema
      .createTable('redirect')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('source', 'text', (c) => c.notNull().unique())
      .addColumn('target', 'text')
      .addColumn('status', 'integer', (c) => c.notNull())
      .addColumn('note', 'text')
      .addColumn('origin', 'text', (c) => c.notNull()),
  ).execute()
  await db.schema
    .createTable('redirect_hit')
    .addColumn('redirect_id', 'text', (c) => c.primaryKey())
    .addColumn('hits', 'bigint', (c) => c.notNull())
    .addColumn('last_hit', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('missing_path')
    .addColumn('path', 'text', (c) => c.primaryKey())
    .addColumn('hits', 'bigint', (c) => c.notNull())
    .addColumn('last_hit', 'bigint', (c) => c.notNull())
    .addColumn('referrer', 'text')
    .execute()
}
