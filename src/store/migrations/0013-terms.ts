// Taxonomies and their terms, menus, redirects, and missing paths.
// `entry_term` repeats status and date of its entry, because no index spans two tables. The archive of a term is then read in its
// order, however many entries the term has.

import type { Kysely } from 'kysely'
import { addColumns, createIndexes, createTables, revisioned } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumns(db, 'entry', 'terms text = []')
  await terms(db)
  await menus(db)
  await redirects(db)
  await indexes(db)
}

async function terms(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    taxonomy: `slug key, name text, types text?, tree integer, deleted integer = 0, ${revisioned}`,
    // The parent has no foreign key, because an undo restores rows in any order.
    term: `
      id key, taxonomy text, slug text, ref text unique, name text, parent_id text?, text text = '', seo text = {},
      ${revisioned}`,
    entry_term: `
      entry_id text of entry, term_id text of term, own integer, status text, published_at bigint;
      primary key (entry_id, term_id)`,
  })
}

async function menus(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    menu: `id key, slug text unique, name text, location text? unique, items text, ${revisioned}`,
    menu_reference: 'menu_id text of menu, item_id text, kind text, target_id text; primary key (menu_id, item_id)',
  })
}

async function redirects(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    redirect: `id key, source text unique, target text?, status integer, note text?, origin text, ${revisioned}`,
    redirect_hit: 'redirect_id key, hits bigint, last_hit bigint',
    missing_path: 'path key, hits bigint, last_hit bigint, referrer text?',
  })
}

/** Creates an index for each sort of a list. */
async function indexes(db: Kysely<unknown>): Promise<void> {
  await createIndexes(db, 'entry_term', { entry_term_public: 'term_id, status, published_at, entry_id' })
  await createIndexes(db, 'term', {
    term_name: 'taxonomy, name, id',
    term_slug: 'taxonomy, slug, id',
    term_created_at: 'taxonomy, created_at, id',
    term_updated_at: 'taxonomy, updated_at, id',
    term_parent: 'parent_id, name, id',
  })
  await createIndexes(db, 'menu_reference', { menu_reference_target: 'target_id, kind' })
  await createIndexes(db, 'redirect', {
    redirect_target: 'target, id',
    redirect_created_at: 'created_at, id',
    redirect_updated_at: 'updated_at, id',
    redirect_source: 'source, id',
  })
  await createIndexes(db, 'former_path', { former_path_created: 'created_at, path' })
  await createIndexes(db, 'missing_path', { missing_path_hits: 'hits, path', missing_path_last_hit: 'last_hit, path' })
}
