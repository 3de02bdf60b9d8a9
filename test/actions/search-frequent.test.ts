// Words that stand in more than 5,000 entries don't decide the rank of what is found; where all words are such, the newest entries come first.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Caller } from '../../src/identity/caller.ts'
import { searchOf } from '../../src/store/search/search.ts'
import { type ContentSite, nobody, openContentSite, tokenOf } from './content-site.ts'

const count = 5200
/** The drafts with the word "everyday": 4,900 public entries have it. */
const drafts = 300

let site: ContentSite
before(async () => {
  site = await openContentSite()
  const { store } = site.services
  // One has the words in its title.
  await sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into entry (id, type, title, slug, path, body, status, published_at, position, seo, created_at, updated_at, revision)
    select '00' || (10000 + n), 'post', case n when 4500 then 'Common everyday' else 'Entry' end, 'entry-' || n, '/entry-' || n,
      'common everyday text rare' || (n % 100), case when n between 1 and ${drafts} then 'draft' else 'published' end, n, 0, '{}', n, n, 1
    from numbers`.execute(store.write)
  const rows = await store.read.selectFrom('entry').select(['id', 'title', 'body']).orderBy('id').execute()
  for (let at = 0; at < rows.length; at += 400)
    await store.transaction(async (db) => {
      const documents = rows.slice(at, at + 400).map(({ id, title, body }) => ({ id, title: title.toLowerCase(), text: body }))
      searchOf(db).put(db, documents)
    })
  await sql`delete from entry_search_due`.execute(store.write)
})
after(() => site[Symbol.asyncDispose]())

const find = (query: string, more: Record<string, unknown> = {}, as: Caller = tokenOf('read')) =>
  site.ok('SVC_Search.query', { query, ...more }, as)
const idsOf = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id)

test('two frequent words: the newest entries come first, and all match equally well', async () => {
  for (const query of ['common', 'common everyday', 'everyday common text']) {
    const { items, searched, did_you_mean: meant } = await find(query, { limit: 3 })
    assert.deepEqual(idsOf({ items }), ['0015200', '0015199', '0015198'], query)
    assert.deepEqual([items.map(({ score }: { score: number }) => score), searched.capped, meant], [[1, 1, 1], true, null])
  }
})

test('a frequent and a rarer word: the rarer decides', async () => {
  await site.ok('create', { type: 'post', title: 'Common common', body: `${'common '.repeat(50)} rare7` })
  await site.ok('create', { type: 'post', title: 'Other', body: 'common rare7 rare7 rare7 rare7' })
  const { items, searched } = await find('common rare7', { limit: 100 })
  assert.deepEqual([items.length, items[0].title, searched.capped], [54, 'Other', false])
  assert.equal((await find('rare7', { limit: 100 })).items[0].title, 'Other')
})

test('pages of a search for frequent words have each of the newest 2,000 once, also while entries are added', async () => {
  const seen: string[] = []
  const page = (cursor: string | undefined) =>
    site.ok('list', { search: 'common everyday', limit: 100, select: ['id'], count: true, ...(cursor && { cursor }) })
  for (let cursor: string | undefined; ;) {
    const answer = await page(cursor)
    assert.deepEqual([answer.total, answer.total_at_least, answer.searched.capped], [1000, true, true])
    seen.push(...idsOf(answer))
    if (answer.next_cursor === null) break
    cursor = answer.next_cursor
    if (seen.length === 300) await site.ok('create', { type: 'post', title: 'Later', body: 'common everyday' })
  }
  assert.deepEqual(seen, [...new Set(seen)].toSorted().toReversed())
  assert.ok(seen.length >= 1999 && seen.length <= 2000, String(seen.length))
})

test('attack 154: a word is as frequent as the entries that the caller may see make it', async () => {
  assert.equal(idsOf(await find('everyday', { limit: 1 }, nobody))[0], '0014500')
  assert.notEqual(idsOf(await find('everyday', { limit: 1 }))[0], '0014500')
})
