// The search index holds what the entries say, whatever happened to them: it equals an index that is made anew.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { deepTest } from '../deep-run.ts'
import { searchOf } from '../../src/store/search/search.ts'
import { type ContentSite, openContentSite } from './content-site.ts'

let site: ContentSite
before(async () => (site = await openContentSite()))
after(() => site[Symbol.asyncDispose]())

/** Every word of the index with its entry, column and place. */
async function indexed(): Promise<readonly unknown[]> {
  const { write, engine } = site.services.store
  if (engine === 'PostgreSQL') {
    const each = await sql`select entry_id, lexeme, cast(positions as text) as positions, cast(weights as text) as weights
      from entry_search, unnest(words) order by 1, 2`.execute(write)
    return each.rows
  }
  await sql`create virtual table if not exists temp.indexed_word using fts5vocab (main, entry_search, instance)`.execute(write)
  const { rows } = await sql`select entry_id, term, col, "offset" from temp.indexed_word
    join entry_search_doc on entry_search_doc.doc = indexed_word.doc order by 1, 2, 3, 4`.execute(write)
  return rows
}

/** Checks that the index equals one that is made anew from the entries. */
async function holdIndex(): Promise<void> {
  const { store, search } = site.services
  await search.run()
  const kept = await indexed()
  await store.transaction((db) => searchOf(db).reset(db))
  assert.deepEqual(await indexed(), [])
  await search.run()
  assert.deepEqual(kept, await indexed())
}

const found = async (search: string): Promise<readonly string[]> =>
  (await site.ok('list', { search })).items.map(({ title }: { title: string }) => title)

test('a search finds an entry at once: created, changed, in the trash and restored', async () => {
  const { item } = await site.ok('create', { type: 'post', title: 'Lighthouse', body: 'Under the **granite** cliffs.' })
  assert.deepEqual(await found('granite lighthouse'), ['Lighthouse'])
  await site.ok('update', { id: item.id, title: 'Beacon', body: 'On sandstone.' })
  assert.deepEqual([await found('granite'), await found('sandstone')], [[], ['Beacon']])
  await site.ok('delete', { ids: [item.id] })
  assert.deepEqual(await found('sandstone'), [])
  await site.ok('restore', { ids: [item.id] })
  assert.deepEqual(await found('sandstone'), ['Beacon'])
  await holdIndex()
})

test('undo takes the words back, of a change and of a creation', async () => {
  const made = await site.ok('create', { type: 'post', title: 'Ferry', body: 'Leaves at noon.' })
  const changed = await site.ok('update', { id: made.item.id, body: 'Leaves at midnight.' })
  await site.ok('SVC_Activity.undo', { ids: [changed.activity_id] })
  assert.deepEqual([await found('midnight'), await found('noon')], [[], ['Ferry']])
  await holdIndex()
  await site.ok('SVC_Activity.undo', { ids: [made.activity_id] })
  assert.deepEqual(await found('noon'), [])
  await holdIndex()
})

test('a dry run leaves the index as it was', async () => {
  await site.ok('create', { type: 'post', title: 'Harbour', body: 'Kept.' })
  await holdIndex()
  await site.ok('create', { type: 'post', title: 'Unmade', body: 'Phantom.', dry_run: true })
  assert.deepEqual(await found('phantom'), [])
  await holdIndex()
})

test('purge takes an entry out of the index', async () => {
  const { item } = await site.ok('create', { type: 'post', title: 'Wreck', body: 'Sunken.' })
  await holdIndex()
  await site.ok('delete', { ids: [item.id] })
  await site.ok('purge', { ids: [item.id], expect: 1 })
  await holdIndex()
  const { read, engine } = site.services.store
  const table = sql.table(engine === 'PostgreSQL' ? 'entry_search' : 'entry_search_doc')
  const { rows } = await sql`select 1 from ${table} where entry_id = ${item.id}`.execute(read)
  assert.equal(rows.length, 0)
})

test('a batch finds what it has written', async () => {
  const calls = [
    { action: 'SVC_Content.create', arguments: { type: 'post', title: 'Semaphore', body: 'Flags.' } },
    { action: 'SVC_Content.list', arguments: { search: 'semaphore' } },
  ]
  const { results } = await site.ok('SVC_API.batch', { calls })
  assert.equal(results[1].items[0].title, 'Semaphore')
  await holdIndex()
})

test('the title counts more than the text, and the page after a change begins after the same entry', async () => {
  await site.ok('create', { type: 'post', title: 'Other one', body: `Anchorage ${'and more words '.repeat(30)}` })
  await site.ok('create', { type: 'post', title: 'Anchorage', body: 'Short.' })
  await site.ok('create', { type: 'post', title: 'Third', body: `Anchorage ${'and many more words '.repeat(60)}` })
  assert.deepEqual(await found('anchorage'), ['Anchorage', 'Other one', 'Third'])
  const first = await site.ok('list', { search: 'anchorage', limit: 2, count: true })
  assert.deepEqual([first.total, first.searched], [3, { behind: 0, capped: false }])
  for (let i = 0; i < 5; i++) await site.ok('create', { type: 'post', title: `Filler ${i}`, body: 'Nothing of that.' })
  const second = await site.ok('list', { search: 'anchorage', limit: 2, cursor: first.next_cursor })
  assert.deepEqual(
    second.items.map(({ title }: { title: string }) => title),
    ['Third'],
  )
})

const languages: readonly (readonly [text: string, search: string, found: boolean])[] = [
  ['Die Straße am Fluß', 'strasse fluss', true],
  ['Café crème', 'cafe CREME', true],
  ['東京都の港', '京都', true],
  ['東京都の港', '港', true],
  ['東京都の港', '都東', false],
  ['서울에서 부산까지', '서울', true],
  ['ﬁnal ＷＩＤＥ', 'final wide', true],
  ['Йод', 'иод', false],
  ['state-of-the-art', 'state-of-the-art', true],
  ['state of art', 'state-of-the-art', false],
  ['quote " and AND', 'and"', true],
  ['NEAR OR NOT', 'NOT', true],
]

for (const [text, search, isFound] of languages)
  test(`“${search}” ${isFound ? 'finds' : 'does not find'} “${text}”`, async () => {
    const { item } = await site.ok('create', {
      type: 'post',
      title: 'Text',
      body: text,
      slug: `text-${Math.random()}`.replace('.', ''),
    })
    const { items } = await site.ok('list', { search, limit: 100 })
    assert.equal(
      items.some(({ id }: { id: string }) => id === item.id),
      isFound,
    )
  })

test('more matches than are sorted: the newest are found, and the answer says so', async () => {
  const { store } = site.services
  await sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 2050)
    insert into entry (id, type, title, slug, path, body, status, position, seo, created_at, updated_at, revision)
    select 'many' || (10000 + n), 'post', 'Many', 'many-' || n, '/many-' || n, 'multitude', 'published', 0, '{}', n, n, 1
    from numbers`.execute(store.write)
  await site.services.search.run()
  const { searched, total, total_at_least: atLeast } = await site.ok('list', { search: 'multitude', count: true })
  assert.deepEqual({ searched, total, atLeast }, { searched: { behind: 0, capped: true }, total: 1000, atLeast: true })
  let count = 0
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await site.ok('list', { search: 'multitude', limit: 100, select: ['id'], ...(cursor && { cursor }) })
    count += page.items.length
    cursor = page.next_cursor
  }
  assert.equal(count, 2000)
})

deepTest('a search says how many entries it does not know yet, and finds them once they are indexed', async () => {
  const { store, search } = site.services
  await sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 3000)
    insert into entry (id, type, title, slug, path, body, status, position, seo, created_at, updated_at, revision)
    select 'late' || (10000 + n), 'post', 'Late', 'late-' || n, '/late-' || n, ${'latecomer '.repeat(300)}, 'draft', 0, '{}', n, n, 1
    from numbers`.execute(store.write)
  const { searched } = await site.ok('list', { search: 'latecomer' })
  assert.ok(searched.behind > 0, 'the answer does not wait for all of them')
  await search.run()
  assert.equal((await site.ok('list', { search: 'latecomer' })).searched.behind, 0)
  const { items } = await site.ok('list', { where: { title: { has: 'LAT' } }, limit: 3 })
  assert.equal(items.length, 3, 'their folded text is there, too')
})
