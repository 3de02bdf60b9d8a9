// A context for lists alone: a real database with the site's tables, and entries as a test wants them.

import type { Context } from '../../src/actions/call/action.ts'
import type { ListSpec } from '../../src/actions/lists/list.ts'
import { createHmac } from 'node:crypto'
import { keepFolded } from '../../src/store/search/folded-entries.ts'
import { createSearchIndex } from '../../src/store/search/search-index.ts'
import type { EntryRow } from '../../src/store/core/schema.ts'
import { makeUsual, quiet } from '../store/on-each-database.ts'

export interface ListSite extends AsyncDisposable {
  readonly context: Context
  /** Replaces all entries; what isn't named gets a plain value. */
  put(rows: readonly Partial<EntryRow>[]): Promise<readonly EntryRow[]>
}

export const entries: ListSpec<'entry'> = {
  table: 'entry',
  key: 'id',
  sort: '-created_at',
  search: ['title', 'body'],
  indexed: true,
  fields: {
    id: { column: 'id', kind: 'text', sort: true, indexed: true },
    title: { column: 'title', kind: 'text', sort: true, indexed: true, folded: 'entry_folded' },
    excerpt: { column: 'excerpt', kind: 'text', sort: true, nullable: true },
    body: { column: 'body', kind: 'text', folded: 'entry_folded_body' },
    status: {
      column: 'status',
      kind: 'choice',
      choices: ['draft', 'published', 'trash'],
      sort: true,
      indexed: true,
      ordered: ['created_at', 'title'],
    },
    published_at: { column: 'published_at', kind: 'time', sort: true, nullable: true, indexed: true },
    created_at: { column: 'created_at', kind: 'time', sort: true },
    position: { column: 'position', kind: 'number', sort: true, indexed: true },
    noindex: { column: 'revision', kind: 'boolean' },
    slug: { column: 'slug', kind: 'text', filter: false, sort: true },
    parent: {
      column: 'parent_id',
      kind: 'text',
      nullable: true,
      indexed: true,
      resolve: async (name) => (name.startsWith('/') ? (name === '/here' ? 'p1' : null) : name),
    },
  },
}

/** The moment of every call. */
const now = Date.parse('2026-03-31T10:00:00Z')

export async function openListSite(timeZone = 'Europe/Berlin', secret = 'a site'): Promise<ListSite> {
  const database = await makeUsual('tables')
  const store = await database.open()
  const search = createSearchIndex(store, quiet)
  const site = {
    search,
    key: { derive: (purpose: string) => createHmac('sha256', secret).update(purpose).digest() },
    settings: { values: { time_zone: timeZone } },
  }
  return {
    context: { db: store.read, site, select: undefined, now } as unknown as Context,
    async put(rows) {
      const filled = rows.map((row, i) => ({ ...plain(i), ...row }))
      await store.transaction(async (db) => {
        await db.deleteFrom('entry').execute()
        if (filled.length > 0) await db.insertInto('entry').values(filled).execute()
        for (const row of filled) keepFolded(db, row, true)
      })
      await search.run()
      return filled
    },
    async [Symbol.asyncDispose]() {
      await search.stop()
      await store.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

function plain(i: number): EntryRow {
  const id = `e${String(i).padStart(4, '0')}`
  const dates = { published_at: null, unpublish_at: null, created_at: 0, updated_at: 0 }
  const owned = {
    author_id: null,
    parent_id: null,
    position: 0,
    seo: '{}',
    terms: '[]',
    locale: null,
    cover: null,
    translation_of: null,
    fields: '{}',
    staged: 0,
    live_revision: null,
    password_hash: null,
    comments: null,
    revision: 1,
  }
  return { id, type: 'page', title: id, slug: id, path: null, body: '', excerpt: null, status: 'draft', ...dates, ...owned }
}
