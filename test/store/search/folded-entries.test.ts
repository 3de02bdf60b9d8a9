// The folded text of entries: it follows each write, and what an older release wrote is made up for.
// Runs in a process of its own, because a batch is as large as the time allows.

import assert from 'node:assert/strict'
import test from 'node:test'
import { createChange } from '../../../src/store/change/change.ts'
import { createBatchSize } from '../../../src/store/core/batch-size.ts'
import type { Store } from '../../../src/store/core/database.ts'
import { casesOf, foldText } from '../../../src/store/search/fold-text.ts'
import type { EntryRow } from '../../../src/store/core/schema.ts'
import { createSearchIndex } from '../../../src/store/search/search-index.ts'
import { codePoint, fc } from '../../properties.ts'
import { onEachDatabase, openSiteStore, quiet } from '../on-each-database.ts'

const author = { accountId: null, name: 'test', door: 'cli', action: 'Test.run' }
const entry: EntryRow = {
  id: 'e1',
  type: 'page',
  title: 'Über Äpfel',
  slug: 'ueber',
  path: '/ueber',
  body: 'ПРИВЕТ',
  excerpt: null,
  status: 'draft',
  published_at: null,
  unpublish_at: null,
  author_id: null,
  parent_id: null,
  position: 0,
  seo: '{}',
  fields: '{}',
  terms: '[]',
  locale: null,
  translation_of: null,
  staged: 0,
  live_revision: null,
  password_hash: null,
  comments: null,
  cover: null,
  created_at: 1,
  updated_at: 1,
  revision: 1,
}

async function foldedOf({ read }: Store) {
  const names = await read.selectFrom('entry_folded').select(['title', 'path', 'revision', 'body_length']).execute()
  const bodies = await read.selectFrom('entry_folded_body').select('body').execute()
  return [...names, ...bodies.map(({ body }) => body)]
}

test(
  'each write of an entry keeps its folded text, and removing the entry takes it away',
  onEachDatabase(async (make) => {
    await using site = await openSiteStore(make)
    const { store } = site
    const made = await store.transaction((db) => createChange(db, { now: 2, author }).insert('entry', entry))
    assert.deepEqual(await foldedOf(store), [{ title: 'über äpfel', path: '/ueber', revision: 1, body_length: 6 }, 'привет'])
    const { row } = await store.transaction((db) =>
      createChange(db, { now: 3, author }).update('entry', made, { title: 'ÉTÉ', path: null, body: 'Ё' }),
    )
    assert.deepEqual(await foldedOf(store), [{ title: 'été', path: null, revision: 2, body_length: 1 }, 'ё'])
    await store.transaction((db) => createChange(db, { now: 4, author }).remove('entry', row))
    assert.deepEqual(await foldedOf(store), [])
  }),
)

test(
  'entries that an older release wrote are folded while the site is served, and again after it changed one',
  onEachDatabase(async (make) => {
    await using site = await openSiteStore(make)
    const { store } = site
    const entries = Array.from({ length: 120 }, (_, i) => ({ ...entry, id: `e${i}`, path: `/${i}`, title: `Ä${i}` }))
    await store.transaction(async (db) => {
      for (const row of entries) await db.insertInto('entry').values(row).execute()
    })
    const index = createSearchIndex(store, quiet)
    await index.run()
    assert.equal((await foldedOf(store)).length, 240)
    await store.transaction((db) =>
      db.updateTable('entry').set({ title: 'ÖL', revision: 2 }).where('id', '=', 'e7').executeTakeFirst(),
    )
    await index.run()
    const row = await store.read.selectFrom('entry_folded').select('title').where('entry_id', '=', 'e7').executeTakeFirst()
    assert.equal(row?.title, 'öl')
    await index.stop()
  }),
)

test('a batch is as large as the time allows that the writer may be held', () => {
  const size = createBatchSize({ most: 50, holdMs: 3 })
  for (let i = 0; i < 12; i++) size.wrote(size.entries, 0.5)
  assert.equal(size.entries, 50)
  size.wrote(50, 90)
  assert.equal(size.entries, 25, 'one slow moment')
  for (let i = 0; i < 12; i++) size.wrote(size.entries, size.entries)
  assert.equal(size.entries, 3, 'each entry takes a millisecond')
  for (let i = 0; i < 12; i++) size.wrote(size.entries, 50)
  assert.equal(size.entries, 1)
})

test(
  'a writer who comes while many entries are due gets its turn after the batch in progress',
  onEachDatabase(async (make) => {
    await using site = await openSiteStore(make)
    const { store } = site
    await store.transaction(async (db) => {
      for (let i = 0; i < 200; i++)
        await db
          .insertInto('entry')
          .values({ ...entry, id: `e${i}`, path: `/${i}` })
          .execute()
    })
    const dueWhen = async () => (await store.write.selectFrom('entry_search_due').select('entry_id').execute()).length
    const seen: Promise<number>[] = []
    const watched: Store = {
      ...store,
      transaction: (run, signal) => {
        const done = store.transaction(run, signal)
        seen.push(dueWhen())
        return done
      },
    }
    const index = createSearchIndex(watched, quiet)
    await index.run()
    await index.stop()
    const left = await Promise.all(seen)
    assert.equal(left.at(-1), 0)
    assert.ok(left.length >= 4 && left.slice(0, -1).every((due) => due > 0), String(left))
  }),
)

test(
  'entries are folded and indexed many in one transaction, but never more than some bytes of bodies',
  onEachDatabase(async (make) => {
    await using site = await openSiteStore(make)
    const { store } = site
    const bodies = [...Array.from({ length: 70 }, () => 'Ü'), ...Array.from({ length: 3 }, () => 'Ä '.repeat(60_000)), 'Ö']
    await store.transaction(async (db) => {
      for (const [i, body] of bodies.entries()) {
        const id = `e${String(i).padStart(3, '0')}`
        await db
          .insertInto('entry')
          .values({ ...entry, id, path: `/${id}`, body })
          .execute()
      }
    })
    const batches: number[] = []
    const counted: Store = {
      ...store,
      transaction: (run, signal) =>
        store.transaction(async (db) => {
          const count = async () => (await db.selectFrom('entry_search_due').select('entry_id').execute()).length
          const before = await count()
          const result = await run(db)
          batches.push(before - (await count()))
          return result
        }, signal),
    }
    const index = createSearchIndex(counted, quiet)
    await index.run()
    await index.stop()
    assert.equal(
      batches.reduce((sum, one) => sum + one, 0),
      bodies.length,
    )
    assert.ok(batches.length >= 4 && Math.max(...batches) <= 50, String(batches))
  }),
)

test('folding is done letter by letter, is done once, and all letters that fold alike are known', () =>
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => {
      const folded = foldText(text)
      assert.equal([...folded].length, [...text].length)
      assert.equal(foldText(folded), folded)
      for (const [at, letter] of [...text].entries()) {
        const cases = casesOf(letter)
        assert.ok(cases.includes(letter))
        for (const one of cases) assert.equal(foldText(one), [...folded][at])
      }
    }),
  ))
