// SVC_Activity.list and get: what was done, told to those who could have done it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestSite } from '../identity/open-test-site.ts'

type Item = { id: string; call: string; address?: string; undone_by: string | null }
const callsOf = (answer: { items: Item[] }): string[] => answer.items.map(({ call }) => call)

test('a write leaves one record, newest first; a dry run, a read and what changes nothing leave none', async () => {
  await using on = await openTestSite()
  await on.ok('SVC_Content.create', { type: 'page', title: 'About' })
  on.clock.at += 1
  await on.ok('SVC_Content.update', { id: '/about', title: 'About us' })
  await on.ok('SVC_Content.update', { id: '/about', title: 'About us' })
  await on.ok('SVC_Content.update', { id: '/about', title: 'Other', dry_run: true })
  await on.ok('SVC_Content.get', { id: '/about' })
  assert.deepEqual(callsOf(await on.ok('SVC_Activity.list')), ['SVC_Content.update', 'SVC_Content.create'])
})

test('a caller sees the records of actions that it could run, and addresses are for admins', async () => {
  await using on = await openTestSite()
  const { activity_id: secret } = await on.ok('SVC_Settings.update', { set: { site_title: 'x' } })
  const { activity_id: open } = await on.ok('SVC_Content.create', { type: 'page', title: 'About' })
  for (const scope of ['read', 'content', 'admin'] as const) {
    const { items } = (await on.ok('SVC_Activity.list', {}, on.as(scope))) as { items: Item[] }
    const seen = { read: [], content: [open], admin: [open, secret] }[scope]
    assert.deepEqual(
      items.map(({ id }) => id),
      seen,
      scope,
    )
    assert.ok(items.every((item) => 'address' in item === (scope === 'admin')))
  }
  const hidden = await on.fails('SVC_Activity.get', { id: secret }, on.as('content'))
  const missing = await on.fails('SVC_Activity.get', { id: 'x'.repeat(secret.length) }, on.as('content'))
  assert.equal(JSON.stringify(hidden).replaceAll(secret, '?'), JSON.stringify(missing).replaceAll('x'.repeat(secret.length), '?'))
})

test('a token limited to some classes sees the records of those only', async () => {
  await using on = await openTestSite()
  await on.ok('SVC_Settings.update', { set: { site_title: 'x' } })
  await on.ok('SVC_Content.create', { type: 'page', title: 'About' })
  await on.ok('SVC_API.batch', {
    calls: [
      { action: 'SVC_Content.update', arguments: { id: '/about', title: 'y' } },
      { action: 'SVC_Settings.update', arguments: { set: { site_title: 'y' } } },
    ],
  })
  const limited = on.as('admin', { classes: ['SVC_Activity', 'SVC_Content'] })
  assert.deepEqual(callsOf(await on.ok('SVC_Activity.list', {}, limited)), ['SVC_Content.create'])
  // `_` is a wildcard of LIKE.
  assert.deepEqual(
    callsOf(await on.ok('SVC_Activity.list', {}, on.as('admin', { classes: ['SVC_Activity', 'SVCxContent'] }))),
    [],
  )
  const { items } = await on.ok('SVC_Activity.list', { where: { call: 'SVC_API.batch' } })
  assert.equal((await on.fails('SVC_Activity.get', { id: items[0].id }, limited)).code, 'not_found')
})

test('records are found by object, account, door, call and time', async () => {
  await using on = await openTestSite()
  const about = await on.ok('SVC_Content.create', { type: 'page', title: 'About' })
  on.clock.at += 60_000
  await on.ok('SVC_Content.create', { type: 'page', title: 'Other' }, on.as('content'))
  await on.ok('SVC_Settings.update', { set: { site_title: 'x' } })
  const count = async (where: object) => (await on.ok('SVC_Activity.list', { where, count: true })).total as number
  assert.equal(await count({ object: '/about' }), 1)
  assert.equal(await count({ object: about.item.id }), 1)
  assert.equal(await count({ object: 'site_title' }), 1)
  assert.equal(await count({ object: '/nowhere' }), 0)
  assert.equal(await count({ by: 'Owner@example.org' }), 3)
  assert.equal(await count({ by: null }), 0)
  assert.equal(await count({ door: 'api' }), 1)
  assert.equal(await count({ call: { has: 'settings' } }), 1)
  assert.equal(await count({ at: { gt: '2026-11-21T09:00:00Z' } }), 2)
  assert.equal((await on.fails('SVC_Activity.list', { where: { input: { has: 'x' } } })).code, 'invalid')
  assert.equal((await on.fails('SVC_Activity.list', { where: { object: ['x'] } })).field, 'where.object')
})

test('a cursor goes on through the records, and belongs to its object', async () => {
  await using on = await openTestSite()
  await on.ok('SVC_Content.create', { type: 'page', title: 'About' })
  for (let i = 0; i < 4; i++) await on.ok('SVC_Content.update', { id: '/about', title: `About ${i}` })
  const where = { object: '/about' }
  const first = await on.ok('SVC_Activity.list', { where, limit: 2 })
  const second = await on.ok('SVC_Activity.list', { where, limit: 3, cursor: first.next_cursor })
  assert.equal(new Set([...first.items, ...second.items].map(({ id }: Item) => id)).size, 5)
  assert.equal(second.next_cursor, null)
  assert.equal((await on.fails('SVC_Activity.list', { limit: 2, cursor: first.next_cursor })).field, 'cursor')
})

test('get shows the input and each field before and after; `latest` is the newest', async () => {
  await using on = await openTestSite()
  await on.ok('SVC_Content.create', { type: 'page', title: 'About' })
  on.clock.at += 1
  const { activity_id, item: entry } = await on.ok('SVC_Content.update', { id: '/about', title: 'About us' })
  const { item } = await on.ok('SVC_Activity.get', { id: 'latest' })
  assert.deepEqual([item.id, item.input, item.runs], [activity_id, { id: '/about', title: 'About us' }, ['SVC_Content.update']])
  assert.deepEqual(item.diff, [{ id: entry.id, field: 'title', before: 'About', after: 'About us' }])
})

test('a diff that is longer than an answer is cut, and says so', async () => {
  await using on = await openTestSite()
  const calls = Array.from({ length: 50 }, (_, i) => ({
    action: 'SVC_Content.create',
    arguments: { type: 'page', title: `Page ${i}`, body: 'ä'.repeat(3000), excerpt: 'ü'.repeat(400) },
  }))
  await on.ok('SVC_API.batch', { calls })
  const { item } = await on.ok('SVC_Activity.get', { id: 'latest' })
  assert.equal(item.truncated, true)
  assert.ok(item.diff.length > 5)
})
