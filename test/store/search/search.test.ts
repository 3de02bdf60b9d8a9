// The search index of each database: what it finds, in which order, and that a change of an entry makes the entry due.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Store } from '../../../src/store/core/database.ts'
import { type SearchHit, searchOf } from '../../../src/store/search/search.ts'
import { createSearchIndex } from '../../../src/store/search/search-index.ts'
import { foldForSearch, phrasesIn } from '../../../src/store/search/search-text.ts'
import { migrateToLatest } from '../../../src/store/core/migrate.ts'
import { migrations } from '../../../src/store/migrations/index.ts'
import { makePostgres, onEachDatabase, openSiteStore, quiet } from '../on-each-database.ts'

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
  const searching = { phrases: phrasesIn(search.split(' ')), which: 'all', shownAfter: undefined } as const
  const ranked = searching.phrases.map((phrase) => ({ phrase, weight: 1 }))
  const hits = searchOf(read).matching({ ...searching, most, ranked })
  const { rows } = await sql<SearchHit>`select entry_id, rank from ${hits} as hit order by rank, entry_id`.execute(read)
  assert.deepEqual(await searchOf(read).count(read, [searching], most), [Math.min(rows.length, most)])
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

/** Texts with more different words than PostgreSQL can keep of one text. */
const manyWords: Readonly<Record<string, (place: number) => string>> = {
  'short words': (place) => `${place.toString(36)}x`,
  'pairs of letters': (place) => String.fromCodePoint(0x4e00 + (place % 20_000), 0x4e00 + ((place * 7919) % 20_000)),
  addresses: (place) => `https://h${place}.example.org/p${place}/q${place}?r=${place}`,
  'joined words': (place) => `one${place}-two${place}-three${place}`,
  'mail addresses': (place) => `a${place}@b${place}.example.org`,
}

test('the words of a text that is too long for PostgreSQL are found as far as they fit, and those of all others wholly', async () => {
  await using site = await openSiteStore(makePostgres)
  const { store } = site
  for (const [what, word] of Object.entries(manyWords)) {
    const text = `lighthouse ${Array.from({ length: 120_000 }, (_, place) => word(place)).join(' ')}`
    const put = store.transaction(async (db) => searchOf(db).put(db, [{ id: 'a', title: 'Long', text: foldForSearch(text) }]))
    await assert.doesNotReject(put, what)
    assert.equal(await find(store, 'lighthouse'), 'a', what)
  }
  const plain = `${'a text as people write it, word after word. '.repeat(40_000)} ${'x'.repeat(9000)} granite`
  await store.transaction(async (db) => searchOf(db).put(db, [{ id: 'b', title: 'Longer', text: plain }]))
  assert.equal(await find(store, 'granite'), 'b')
})

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
    const text = { title: 'T', slug: 't', path: '/t', body: 'b', excerpt: null, seo: '{}', fields: '{}', terms: '[]' }
    const rest = { published_at: null, unpublish_at: null, author_id: null, parent_id: null, locale: null, position: 0 }
    const counted = { staged: 0, live_revision: null, created_at: 1, updated_at: 1, revision: 1 }
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

const released = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0024'))

test(
  'an upgrade indexes the entries anew whose folded text may differ, and knows at once who is shown an entry',
  onEachDatabase(async (make) => {
    await using database = await make()
    const store = await database.open()
    await migrateToLatest(store, released)
    const rows = [
      ['ascii', 'Plain', 'harbour', 'published'],
      ['greek', 'Plain', 'harbour οδός', 'published'],
      ['title', 'ŻÓŁW', 'harbour', 'draft'],
      ['trash', 'Plain', 'harbour', 'trash'],
    ]
    for (const [id, title, body, status] of rows)
      await sql`insert into entry (id, type, title, slug, path, body, status, position, seo, created_at, updated_at, revision)
        values (${id}, 'post', ${title}, ${id}, ${id}, ${body}, ${status}, 0, '{}', 1, 1, 1)`.execute(store.write)
    const before = createSearchIndex(store, quiet)
    await before.run()
    // Otherwise it indexes what the upgrade finds, before that is read.
    await before.stop()
    await sql`update entry_folded_body set body = 'harbour οδός' where entry_id = 'greek'`.execute(store.write)
    assert.ok((await migrateToLatest(store)).includes('0024-shown-entries'))
    const due = await store.read.selectFrom('entry_search_due').select('entry_id').orderBy('entry_id').execute()
    assert.deepEqual(
      due.map((row) => row.entry_id),
      ['greek', 'title'],
    )
    const seen = async (word: string) => {
      const searches = [undefined, -1, 5].map((shownAfter) => ({ phrases: [word], which: 'all' as const, shownAfter }))
      return searchOf(store.read).count(store.read, searches, 10)
    }
    assert.deepEqual(await seen('harbour'), [4, 3, 2], 'all, those outside the trash, and public ones')
    await sql`update entry set unpublish_at = 4 where id = 'greek'`.execute(store.write)
    await sql`update entry set status = 'published' where id = 'title'`.execute(store.write)
    assert.deepEqual(await seen('harbour'), [4, 3, 2])
    await sql`update entry set status = 'trash' where id = 'ascii'`.execute(store.write)
    assert.deepEqual(await seen('harbour'), [4, 2, 1])
    const index = createSearchIndex(store, quiet)
    await index.run()
    assert.deepEqual(await seen(foldForSearch('ΟΔΌΣ')), [1, 1, 0])
    const folded = await store.read.selectFrom('entry_folded_body').select('body').where('entry_id', '=', 'greek').execute()
    assert.deepEqual(folded, [{ body: 'harbour οδόσ' }])
    await index.stop()
    await store.close()
  }),
)
