// The search index of each database: what it finds, in which order, and that a change of an entry makes the entry due.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Store } from '../../src/store/database.ts'
import { type SearchHit, searchOf } from '../../src/store/search.ts'
import { foldForSearch, phrasesIn } from '../../src/store/search-text.ts'
import { onEachDatabase, openSiteStore } from './on-each-database.ts'

const documents = [
  { id: 'a', title: 'Harbour', text: 'boats and nets' },
  { id: 'b', title: 'Nets', text: `a long text about the harbour ${'of other things '.repeat(20)}` },
  { id: 'c', title: 'Straße', text: '東京都の港 state-of-the-art' },
]

const fill = (store: Store) =>
  store.transaction(async (db) =>
    searchOf(db).put(
      db,
      documents.map(({ id, title, text }) => ({ id, title: foldForSearch(title), text: foldForSearch(text) })),
    ),
  )

async function find({ read }: Store, search: string, most = 10): Promise<string> {
  const hits = searchOf(read).matching(phrasesIn(search.split(' ')), most)
  const { rows } = await sql<SearchHit>`select entry_id, rank from ${hits} as hit order by rank, entry_id`.execute(read)
  assert.equal(await searchOf(read).count(read, phrasesIn(search.split(' ')), most), Math.min(rows.length, most))
  return rows.map(({ entry_id: id }) => id).join(' ')
}

const rows: readonly (readonly [search: string, found: string])[] = [
  ['harbour', 'a b'],
  ['NETS', 'b a'],
  ['harbour nets boats', 'a'],
  ['harb', ''],
  ['strasse', 'c'],
  ['京都', 'c'],
  ['港', 'c'],
  ['state-of-the-art', 'c'],
  ["' or 1=1", ''],
  ['"harbour" | !nets', 'a b'],
]

test(
  'words and phrases are found, the title first',
  onEachDatabase(async (make) => {
    await using site = await openSiteStore(make)
    const { store } = site
    await fill(store)
    for (const [search, found] of rows) assert.equal(await find(store, search), found, search)
    await store.transaction(async (db) => searchOf(db).put(db, [{ id: 'a', title: 'Quay', text: 'boats' }]))
    assert.equal(await find(store, 'harbour'), 'b')
    await store.transaction(async (db) => searchOf(db).drop(db, ['b', 'none']))
    assert.equal(await find(store, 'harbour'), '')
    await fill(store)
    assert.equal(await find(store, 'harbour', 1), 'b', 'the newest, where there are too many')
    await store.transaction((db) => searchOf(db).reset(db))
    assert.equal(await find(store, 'nets'), '')
  }),
)

test(
  'an entry is due as soon as its text changes or it goes, by whatever statement',
  onEachDatabase(async (make) => {
    await using site = await openSiteStore(make)
    const { store } = site
    const due = async () => {
      const found = await store.read.selectFrom('entry_search_due').select('entry_id').execute()
      await store.transaction((db) => db.deleteFrom('entry_search_due').execute())
      return found.map((row) => row.entry_id)
    }
    const text = { title: 'T', slug: 't', path: '/t', body: 'b', excerpt: null, seo: '{}' }
    const rest = { published_at: null, unpublish_at: null, author_id: null, parent_id: null, locale: null, position: 0 }
    const counted = { created_at: 1, updated_at: 1, revision: 1 }
    const row = { id: 'e1', type: 'page', status: 'draft', ...text, ...rest, ...counted }
    const { write } = store
    await write.insertInto('entry').values(row).execute()
    assert.deepEqual(await due(), ['e1'])
    await write.updateTable('entry').set({ status: 'published', revision: 2 }).execute()
    assert.deepEqual(await due(), [])
    await write.updateTable('entry').set({ body: 'other' }).execute()
    assert.deepEqual(await due(), ['e1'])
    await write.deleteFrom('entry').execute()
    assert.deepEqual(await due(), ['e1'])
  }),
)
