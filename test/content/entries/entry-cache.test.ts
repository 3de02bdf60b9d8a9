// Entries in memory: at once where known, and never what a commit has overtaken.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEntryCache } from '../../../src/content/entries/entry-cache.ts'
import { openContentSite } from '../../actions/content-site.ts'

test('a known entry is answered at once, by id and by path', async () => {
  await using site = await openContentSite()
  const { item } = await site.ok('create', { type: 'page', title: 'About' })
  const { entries } = site.services
  assert(entries.named('/about') instanceof Promise)
  const row = await entries.byPath('/about')
  assert.equal(row?.id, item.id)
  for (const known of [entries.byId(item.id), entries.byPath('/about'), entries.named('/about'), entries.named('/about/')])
    assert.equal(known, row)
  assert.equal((await entries.named('about'))?.id, item.id)
})

test('what is not there is asked for each time', async () => {
  await using site = await openContentSite()
  const { entries } = site.services
  assert.deepEqual([await entries.byPath('/about'), await entries.byId('about')], [undefined, undefined])
  await site.services.store.transaction((db) =>
    db.insertInto('former_path').values({ path: '/x', entry_id: 'x', created_at: 0 }).execute(),
  )
  await site.ok('create', { type: 'page', title: 'About' })
  assert.equal((await entries.byPath('/about'))?.title, 'About')
})

test('a moved entry is found at its new path only, and another may take the old one', async () => {
  await using site = await openContentSite()
  const { entries } = site.services
  await site.ok('create', { type: 'page', title: 'A' })
  await site.ok('create', { type: 'page', title: 'B', parent: '/a' })
  await entries.byPath('/a/b')
  await site.ok('update', { id: '/a', slug: 'x' })
  assert.equal(await entries.byPath('/a/b'), undefined)
  assert.equal((await entries.byPath('/x/b'))?.title, 'B')
  await site.ok('create', { type: 'page', title: 'New', slug: 'a' })
  assert.equal((await entries.byPath('/a'))?.title, 'New')
})

test('a text is made once for each origin, revision and visibility', async () => {
  await using site = await openContentSite()
  const cache = createEntryCache(site.services.store)
  const { item } = await site.ok('create', { type: 'page', title: 'About' })
  const row = await cache.byId(item.id)
  assert(row)
  let made = 0
  const text = async (origin: string, live = false, revision = row.revision) =>
    (await cache.textOf({ ...row, revision }, origin, live, () => `"${++made}"`)).text
  const first = await text('https://a')
  assert.equal(await text('https://a'), first)
  assert.notEqual(await text('https://b'), first)
  assert.notEqual(await text('https://a', true), first)
  assert.notEqual(await text('https://a', false, 2), first)
  assert.equal(made, 4)
})

test('a dry run leaves the caches as they are', async () => {
  await using site = await openContentSite()
  const { item } = await site.ok('create', { type: 'page', title: 'About' })
  const row = await site.services.entries.byId(item.id)
  await site.ok('update', { id: '/about', title: 'x', dry_run: true })
  assert.equal(site.services.entries.byId(item.id), row)
})
