// SVC_Content through dispatch, on a real database: publishing, moving, the trash and out of it, earlier states, a token's limits.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nobody, openContentSite, tokenOf } from './content-site.ts'

const reader = tokenOf('read')
const writer = tokenOf('content')

test('below a page nothing is reserved, until it moves to the top', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'Docs' })
  assert.equal((await site.ok('create', { type: 'page', title: 'API', slug: 'api', parent: '/docs' })).item.path, '/docs/api')
  assert.equal((await site.fails('update', { id: '/docs/api', parent: null })).rule, 'reserved slug')
})

test('a page takes what stands below it along, and old paths lead to the new ones', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'A', status: 'published' })
  await site.ok('create', { type: 'page', title: 'B', parent: '/a', status: 'published' })
  await site.ok('create', { type: 'page', title: 'C', parent: '/a/b' })
  const { item, changed } = await site.ok('update', { id: '/a', slug: 'x' })
  assert.deepEqual([item.path, changed], ['/x', ['slug', 'path']])
  const moved = await site.ok('get', { id: '/a/b' }, nobody)
  assert.deepEqual([moved.item.path, moved.moved_to], ['/x/b', '/x/b'])
  assert.equal((await site.fails('get', { id: '/a/b/c' }, nobody)).code, 'not_found')
  assert.equal((await site.ok('get', { id: '/a/b/c' }, reader)).moved_to, '/x/b/c')
  assert.match((await site.fails('update', { id: '/a', title: 'y' })).hint ?? '', /\/x/)
  assert.equal((await site.fails('update', { id: '/x', parent: '/x/b/c' })).rule, 'no page below itself')
  assert.equal((await site.ok('update', { id: '/x', slug: 'a' })).item.path, '/a')
  assert.equal((await site.ok('get', { id: '/a' }, nobody)).moved_to, undefined)
  assert.equal((await site.ok('get', { id: '/x/b' }, nobody)).moved_to, '/a/b')
})

test('a parent must be a page, and a post has none', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'post', title: 'Post' })
  await site.ok('create', { type: 'page', title: 'Page' })
  assert.equal((await site.fails('create', { type: 'page', title: 'x', parent: '/post' })).field, 'parent')
  assert.equal((await site.fails('create', { type: 'page', title: 'x', parent: '/missing' })).field, 'parent')
  assert.equal((await site.fails('create', { type: 'post', title: 'x', parent: '/page' })).field, 'parent')
  await site.ok('create', { type: 'page', title: 'Below', parent: '/page' })
  assert.equal((await site.fails('update', { id: '/page', type: 'post' })).code, 'in_use')
  assert.equal((await site.ok('update', { id: '/page/below', type: 'post' })).item.path, '/below')
})

test('publishing dates an entry, a time ahead schedules it, and unpublishing ends that', async () => {
  await using site = await openContentSite({ settings: { time_zone: 'Europe/Berlin' } })
  await site.ok('create', { type: 'post', title: 'Hello' })
  const state = ({ item, live }: { item: Record<string, unknown>; live: boolean }) => [item['status'], item['published_at'], live]
  assert.deepEqual(state(await site.ok('publish', { id: '/hello' })), ['published', '2026-11-21T09:00:00.000Z', true])
  assert.deepEqual((await site.ok('publish', { id: '/hello' })).changed, [])
  assert.deepEqual(state(await site.ok('unpublish', { id: '/hello' })), ['draft', '2026-11-21T09:00:00.000Z', false])
  assert.deepEqual(state(await site.ok('publish', { id: '/hello', at: '2026-12-01' })), [
    'scheduled',
    '2026-11-30T23:00:00.000Z',
    false,
  ])
  assert.deepEqual(state(await site.ok('unpublish', { id: '/hello', status: 'private' })), ['private', null, false])
  assert.deepEqual(state(await site.ok('publish', { id: '/hello', at: '2026-01-02T03:04Z' })), [
    'published',
    '2026-01-02T03:04:00.000Z',
    true,
  ])
})

test('the trash keeps entries, frees their paths, and gives them back as drafts', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'A', status: 'published' })
  await site.ok('create', { type: 'page', title: 'B', parent: '/a', status: 'published' })
  const failure = await site.fails('delete', { ids: ['/a'] })
  assert.deepEqual([failure.code, (failure.by as { path: string }[])[0]?.path], ['in_use', '/a/b'])
  const { done } = await site.ok('delete', { ids: ['/a', '/a'], with_children: true })
  assert.equal(done.length, 2)
  assert.deepEqual((await site.ok('delete', { ids: [done[0]] })).unchanged, [done[0]])
  assert.equal((await site.fails('update', { id: done[0], title: 'x' })).code, 'refused')
  await site.ok('create', { type: 'post', title: 'A' })
  const restored = await site.ok('restore', { ids: [done[0]], with_children: true })
  assert.deepEqual(
    restored.warnings.map(({ code }: { code: string }) => code),
    ['slug_adjusted'],
  )
  const { items } = await site.ok('list', { sort: 'title', type: 'page' })
  assert.deepEqual(
    items.map(({ path, status }: { path: string; status: string }) => [path, status]),
    [
      ['/a-2', 'draft'],
      ['/a-2/b', 'draft'],
    ],
  )
})

test('restore takes the path that an entry had', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'post', title: 'Hello', status: 'published' })
  await site.ok('delete', { ids: ['/hello'] })
  await site.ok('restore', { ids: ['/hello'] })
  assert.deepEqual((await site.ok('get', { id: '/hello' })).item.status, 'draft')
})

test('purge destroys what is in the trash, when the number is right', async () => {
  await using site = await openContentSite()
  const ids = []
  for (const title of ['A', 'B']) ids.push((await site.ok('create', { type: 'page', title })).item.id)
  assert.equal((await site.fails('purge', { ids, expect: 2 })).code, 'refused')
  await site.ok('delete', { ids })
  const failure = await site.fails('purge', { where: {}, expect: 1 })
  assert.deepEqual([failure.code, failure.expected], ['conflict', 2])
  assert.equal((await site.fails('purge', { expect: 1 })).code, 'invalid')
  assert.equal((await site.run('purge', { ids, expect: 2 }, writer)).ok, false)
  assert.deepEqual((await site.ok('purge', { where: { title: 'A' }, expect: 1 })).done, [ids[0]])
  assert.deepEqual((await site.ok('purge', { ids: [ids[1]], expect: 1 })).done, [ids[1]])
  const { read } = site.services.store
  for (const table of ['entry', 'entry_revision', 'former_path'] as const) {
    assert.deepEqual(await read.selectFrom(table).selectAll().execute(), [])
  }
})

test('revisions are listed newest first, and revert brings the text of one back', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'One', slug: 'page', body: 'first' })
  await site.ok('update', { id: '/page', title: 'Two', body: 'second', slug: 'moved' })
  await site.ok('publish', { id: '/moved' })
  const { items } = await site.ok('revisions', { id: '/moved' }, reader)
  assert.deepEqual(
    items.map((row: Record<string, unknown>) => [row['revision'], row['by'], row['via'], row['action']]),
    [
      [3, 'Owner', 'api', 'SVC_Content.publish'],
      [2, 'Owner', 'api', 'SVC_Content.update'],
      [1, 'Owner', 'api', 'SVC_Content.create'],
    ],
  )
  const { item, changed } = await site.ok('revert', { id: '/moved', revision: 1 })
  assert.deepEqual(
    [item.title, item.path, item.status, item.revision, changed],
    ['One', '/moved', 'published', 4, ['title', 'body']],
  )
  assert.equal((await site.run('revisions', { id: '/moved' }, nobody)).ok, false)
})

test('attack 88: of two writes with one revision one succeeds', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'About' })
  const outcomes = await Promise.all(['a', 'b'].map((title) => site.run('update', { id: '/about', title, if_revision: 1 })))
  assert.deepEqual(outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.failure.code)).sort(), ['conflict', 'ok'])
  const stale = await site.fails('publish', { id: '/about', if_revision: 1 })
  assert.deepEqual([stale.code, stale.revision, Array.isArray(stale.changes)], ['conflict', 2, true])
})

test("a token's limits hold for every write", async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'Page', status: 'published' })
  await site.ok('create', { type: 'post', title: 'Post' })
  const posts = tokenOf('content', { types: ['post'] })
  const drafts = tokenOf('content', { drafts_only: true })
  const rows = [
    [posts, 'create', { type: 'page', title: 'x' }],
    [posts, 'update', { id: '/page', title: 'x' }],
    [posts, 'update', { id: '/post', type: 'page' }],
    [posts, 'delete', { ids: ['/page'] }],
    [posts, 'put', { path: '/x', markdown: '# x' }],
    [drafts, 'create', { type: 'post', title: 'x', status: 'published' }],
    [drafts, 'publish', { id: '/post' }],
    [drafts, 'publish', { id: '/post', at: '2030-01-01' }],
    [drafts, 'unpublish', { id: '/page' }],
    [drafts, 'delete', { ids: ['/page'] }],
  ] as const
  for (const [as, action, input] of rows) assert.equal((await site.fails(action, input, as)).code, 'refused', action)
  assert.equal((await site.ok('update', { id: '/post', title: 'x' }, posts)).changed[0], 'title')
  assert.equal((await site.ok('update', { id: '/post', title: 'y' }, drafts)).changed[0], 'title')
  assert.equal((await site.ok('delete', { ids: ['/post'] }, drafts)).done.length, 1)
})
