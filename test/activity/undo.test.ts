// SVC_Activity.undo: what was before comes back as a new revision, at the tier of what is taken back, and later work is never lost unasked.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { undoRules } from '../../src/activity/undo-rules.ts'
import type { Caller } from '../../src/identity/caller.ts'
import { type Kind, kinds } from '../../src/store/change/kinds.ts'
import { openTestSite, type TestSite } from '../identity/open-test-site.ts'

/** Does a write and answers its record's id; a second goes by, so that records are in order. */
async function did(on: TestSite, name: string, input: Record<string, unknown>, as: Caller = on.admin): Promise<string> {
  on.clock.at += 1000
  return (await on.ok(name, input, as)).activity_id as string
}
const undo = (on: TestSite, ids: readonly string[], more: Record<string, unknown> = {}, as: Caller = on.admin) =>
  on.ok('SVC_Activity.undo', { ids, ...more }, as)
const entry = async (on: TestSite, id: string) => (await on.ok('SVC_Content.get', { id })).item
const create = (on: TestSite, title: string, more: Record<string, unknown> = {}) =>
  did(on, 'SVC_Content.create', { type: 'page', title, ...more })

test('an undone update is a new revision with the old content, and its record names the undo', async () => {
  await using on = await openTestSite()
  await create(on, 'About', { body: 'one' })
  const id = await did(on, 'SVC_Content.update', { id: '/about', body: 'two' })
  const answer = await undo(on, [id])
  assert.deepEqual([answer.done, answer.skipped], [[id], []])
  const { body, revision } = await entry(on, '/about')
  assert.deepEqual([body, revision], ['one', 3])
  assert.equal((await on.ok('SVC_Activity.get', { id })).item.undone_by, answer.activity_id)
  const { item } = await on.ok('SVC_Activity.get', { id: answer.activity_id })
  assert.deepEqual([item.call, item.runs, item.effect], ['SVC_Activity.undo', ['SVC_Content.update'], 'write'])
})

test('undoing an undo is redo, undoing that is undo again, and each record tells how it stands', async () => {
  await using on = await openTestSite()
  await create(on, 'About', { body: 'one' })
  const id = await did(on, 'SVC_Content.update', { id: '/about', body: 'two' })
  const undoneBy = async () => (await on.ok('SVC_Activity.get', { id })).item.undone_by as string | null
  const first = (await undo(on, [id])).activity_id as string
  const redo = (await undo(on, [first])).activity_id as string
  assert.deepEqual([(await entry(on, '/about')).body, await undoneBy()], ['two', null])
  await undo(on, [redo])
  assert.deepEqual([(await entry(on, '/about')).body, await undoneBy()], ['one', first])
  assert.equal((await undo(on, [id])).skipped[0].reason, 'it is undone already')
})

test('a creation that is undone takes the entry away, and redo brings it back with its id at a new revision', async () => {
  await using on = await openTestSite()
  const id = await create(on, 'About', { body: 'one', status: 'published' })
  const before = await entry(on, '/about')
  const { activity_id } = await undo(on, [id])
  assert.equal((await on.fails('SVC_Content.get', { id: '/about' })).code, 'not_found')
  await undo(on, [activity_id])
  const after = await entry(on, '/about')
  assert.deepEqual([after.id, after.body, after.status, after.revision], [before.id, 'one', 'published', 2])
})

test('what was changed since is a conflict that names field and changes; with force it is overwritten', async () => {
  await using on = await openTestSite()
  await create(on, 'About', { body: 'one' })
  const id = await did(on, 'SVC_Content.update', { id: '/about', body: 'two', excerpt: 'x' })
  await did(on, 'SVC_Content.update', { id: '/about', body: 'three' })
  const failure = await on.fails('SVC_Activity.undo', { ids: [id] })
  assert.deepEqual([failure.code, failure.field, failure.id], ['conflict', 'body', id])
  assert.deepEqual(
    (failure.changes as { fields: string[] }[]).map(({ fields }) => fields),
    [['body']],
  )
  assert.equal((await entry(on, '/about')).excerpt, 'x')
  const { id: about } = await entry(on, '/about')
  const forced = await on.ok('SVC_Activity.undo', { ids: [id], force: true })
  assert.deepEqual(
    forced.overwritten.map((lost: { id: string; fields: string[]; changes: { by: string }[] }) => [
      lost.id,
      lost.fields,
      lost.changes.length,
    ]),
    [[about, ['body'], 1]],
  )
  const { body, excerpt } = await entry(on, '/about')
  assert.deepEqual([body, excerpt], ['one', null])
})

test('changes of other fields stay where one is undone', async () => {
  await using on = await openTestSite()
  await create(on, 'About', { body: 'one' })
  const id = await did(on, 'SVC_Content.update', { id: '/about', body: 'two' })
  await did(on, 'SVC_Content.update', { id: '/about', title: 'About us' })
  await undo(on, [id])
  const { title, body } = await entry(on, '/about')
  assert.deepEqual([title, body], ['About us', 'one'])
})

test('several are taken back newest first and all or none, whatever order they are named in', async () => {
  await using on = await openTestSite()
  await create(on, 'About', { body: 'one' })
  const two = await did(on, 'SVC_Content.update', { id: '/about', body: 'two' })
  const three = await did(on, 'SVC_Content.update', { id: '/about', body: 'three' })
  assert.deepEqual((await undo(on, [two, three])).done, [three, two])
  assert.equal((await entry(on, '/about')).body, 'one')
  const four = await did(on, 'SVC_Content.update', { id: '/about', body: 'four' })
  const settings = await did(on, 'SVC_Settings.update', { set: { site_title: 'x' } })
  await did(on, 'SVC_Content.update', { id: '/about', body: 'five' })
  assert.equal((await on.fails('SVC_Activity.undo', { ids: [four, settings] })).code, 'conflict')
  assert.equal(on.site.settings.values.site_title, 'x')
})

test('a batch is undone as a whole', async () => {
  await using on = await openTestSite()
  const calls = [
    { action: 'SVC_Content.create', arguments: { type: 'page', title: 'Parent' } },
    { action: 'SVC_Content.create', arguments: { type: 'page', title: 'Child', parent: '$0.item.id' } },
    { action: 'SVC_Settings.update', arguments: { set: { site_title: 'Batched', home: '/parent' } } },
  ]
  const id = await did(on, 'SVC_API.batch', { calls })
  await undo(on, [id])
  assert.equal((await on.ok('SVC_Content.list', { count: true })).total, 0)
  assert.deepEqual([on.site.settings.values.site_title, on.site.settings.values.home], ['My site', null])
})

test('a dry run shows what an undo would change, and changes nothing', async () => {
  await using on = await openTestSite()
  await create(on, 'About', { body: 'one' })
  const id = await did(on, 'SVC_Content.update', { id: '/about', body: 'two' })
  const { diff, activity_id } = await undo(on, [id], { dry_run: true })
  assert.deepEqual(
    [diff.map(({ field, after }: { field: string; after: unknown }) => [field, after]), activity_id],
    [[['body', 'one']], null],
  )
  assert.equal((await entry(on, '/about')).body, 'two')
  assert.deepEqual((await undo(on, [id])).done, [id])
})

test('a move that is undone moves what stands below back too, and what came there meanwhile', async () => {
  await using on = await openTestSite()
  await create(on, 'Shop')
  const parent = (await entry(on, '/shop')).id
  await create(on, 'Prices', { parent })
  const id = await did(on, 'SVC_Content.update', { id: '/shop', slug: 'store' })
  await create(on, 'Hours', { parent })
  await undo(on, [id])
  for (const path of ['/shop', '/shop/prices', '/shop/hours']) assert.equal((await entry(on, path)).path, path)
})

test('a path that was taken meanwhile is a conflict, and force leaves it out', async () => {
  await using on = await openTestSite()
  await create(on, 'About')
  const old = (await entry(on, '/about')).id
  const id = await did(on, 'SVC_Content.update', { id: '/about', slug: 'about-us' })
  await create(on, 'Another', { slug: 'about' })
  assert.match((await on.fails('SVC_Activity.undo', { ids: [id] })).message, /its path \/about belongs to "Another"/)
  const { skipped } = await undo(on, [id], { force: true })
  assert.match(skipped[0].reason, /\/about/)
  assert.equal((await entry(on, old)).path, '/about-us')
})

test('an e-mail address that another account has by now is a conflict, and force leaves it out', async () => {
  await using on = await openTestSite()
  const { id } = (await on.ok('SVC_Accounts.create', { email: 'ann@example.org', name: 'Ann', role: 'read' })).item
  const changed = await did(on, 'SVC_Accounts.update', { id, email: 'ann@example.net' })
  await on.ok('SVC_Accounts.create', { email: 'ann@example.org', name: 'The other Ann', role: 'read' })
  const failure = await on.fails('SVC_Activity.undo', { ids: [changed] })
  assert.deepEqual([failure.code, failure.field], ['conflict', 'email'])
  assert.match(failure.message, /its e-mail address ann@example\.org belongs to "The other Ann" by now/)
  assert.match((await undo(on, [changed], { force: true })).skipped[0].reason, /belongs to "The other Ann"/)
  assert.equal((await on.ok('SVC_Accounts.get', { id })).item.email, 'ann@example.net')
})

test('a page is not taken away under the pages below it', async () => {
  await using on = await openTestSite()
  const id = await create(on, 'Shop')
  await create(on, 'Prices', { parent: (await entry(on, '/shop')).id })
  assert.equal((await on.fails('SVC_Activity.undo', { ids: [id], force: true })).code, 'conflict')
  assert.ok(await entry(on, '/shop/prices'))
})

test('a deletion that is undone brings the entry back as it was, unless its page above is gone', async () => {
  await using on = await openTestSite()
  await create(on, 'Shop', { status: 'published' })
  await create(on, 'Prices', { parent: (await entry(on, '/shop')).id, status: 'published' })
  const prices = await did(on, 'SVC_Content.delete', { ids: ['/shop/prices'] })
  const shop = await did(on, 'SVC_Content.delete', { ids: ['/shop'] })
  assert.equal((await on.fails('SVC_Activity.undo', { ids: [prices] })).code, 'conflict')
  await undo(on, [prices, shop])
  assert.equal((await entry(on, '/shop/prices')).status, 'published')
})

test('settings come back, and those that had the default have it again', async () => {
  await using on = await openTestSite()
  const one = await did(on, 'SVC_Settings.update', { set: { site_title: 'One' } })
  const two = await did(on, 'SVC_Settings.update', { set: { site_title: null } })
  await undo(on, [two])
  assert.equal(on.site.settings.values.site_title, 'One')
  await undo(on, [one])
  assert.equal(on.site.settings.values.site_title, 'My site')
})

test('undo since a time takes back what one account, or one token, did from then on', async () => {
  await using on = await openTestSite()
  const other = await on.account('other@example.org', 'admin')
  const caller: Caller = { ...on.as('content'), account: { id: other.id, email: other.email, name: other.name, role: 'admin' } }
  await create(on, 'About', { body: 'one' })
  on.clock.at += 60_000
  const since = new Date(on.clock.at).toISOString()
  const mine = await did(on, 'SVC_Content.update', { id: '/about', body: 'two' })
  await did(on, 'SVC_Content.update', { id: '/about', title: 'Theirs' }, caller)
  assert.deepEqual((await on.ok('SVC_Activity.undo', { since, by: 'owner@example.org' })).done, [mine])
  const { title, body } = await entry(on, '/about')
  assert.deepEqual([title, body], ['Theirs', 'one'])
  for (const input of [{}, { since }, { ids: [mine], since }, { since: 'lately', by: 'owner@example.org' }]) {
    assert.equal((await on.fails('SVC_Activity.undo', input)).code, 'invalid', JSON.stringify(input))
  }
})

test('undo since a time leaves out what can not be undone, and says so', async () => {
  await using on = await openTestSite()
  const since = '2026-11-21'
  const id = await create(on, 'About')
  const { item } = await on.ok('SVC_Tokens.create', { name: 'x', scope: 'read' })
  const rename = await did(on, 'SVC_Tokens.update', { id: item.id, name: 'y' })
  const { done, skipped } = await on.ok('SVC_Activity.undo', { since, by: on.owner.id })
  assert.ok(done.includes(id))
  assert.deepEqual(
    skipped.map((one: { id: string }) => one.id),
    [rename],
  )
})

test('attack 85: what is above the caller is undone by nobody, told like what is not there, and nothing is kept', async () => {
  await using on = await openTestSite()
  await create(on, 'About', { body: 'one' })
  const own = await did(on, 'SVC_Content.update', { id: '/about', body: 'two' })
  const admins = await did(on, 'SVC_Settings.update', { set: { site_title: 'x' } })
  const missing = '0'.repeat(admins.length)
  const count = async () => (await on.ok('SVC_Activity.list', { count: true })).total as number
  const before = await count()
  const told = async (id: string) =>
    JSON.stringify(await on.fails('SVC_Activity.undo', { ids: [own, id] }, on.as('content'))).replaceAll(id, '?')
  assert.match(await told(admins), /"unknown_action","message":"Unknown tool: /)
  assert.equal(await told(admins), await told(missing))
  const calls = [
    { action: 'SVC_Activity.undo', arguments: { ids: [own] } },
    { action: 'SVC_Activity.undo', arguments: { ids: [admins] } },
  ]
  assert.equal((await on.fails('SVC_API.batch', { calls }, on.as('content'))).code, 'unknown_action')
  assert.deepEqual([(await entry(on, '/about')).body, on.site.settings.values.site_title, await count()], ['two', 'x', before])
  assert.equal((await on.fails('SVC_Activity.undo', { ids: [own] }, on.as('read'))).code, 'unknown_action')
  const undone = (await undo(on, [admins])).activity_id as string
  assert.equal((await on.fails('SVC_Activity.undo', { ids: [undone] }, on.as('content'))).code, 'unknown_action')
})

test('attack 85: a token whose creation is undone is revoked, and redo does not revive it', async () => {
  await using on = await openTestSite()
  const made = await on.ok('SVC_Tokens.create', { name: 'x', scope: 'admin' })
  const { activity_id } = await undo(on, [made.activity_id])
  assert.equal(await on.site.tokens.authenticate(made.token, 'api', ''), undefined)
  assert.match((await on.fails('SVC_Activity.undo', { ids: [activity_id] })).message, /revoked is not revived/)
  assert.deepEqual((await undo(on, [activity_id], { force: true })).done, [])
  assert.equal(await on.site.tokens.authenticate(made.token, 'api', ''), undefined)
})

test('attack 85: revoking and rotating a token, and purging, are not undone', async () => {
  await using on = await openTestSite()
  await on.ok('SVC_Tokens.create', { name: 'x', scope: 'admin' })
  const rotated = await did(on, 'SVC_Tokens.rotate', { id: 'x' })
  const revoked = await did(on, 'SVC_Tokens.revoke', { ids: ['x'], expect: 1 })
  for (const id of [rotated, revoked])
    assert.equal((await on.fails('SVC_Activity.undo', { ids: [id], force: true })).code, 'refused')
})

test("a token's limits hold for what it undoes", async () => {
  await using on = await openTestSite()
  const drafts = on.as('content', { drafts_only: true })
  const own = await did(on, 'SVC_Content.create', { type: 'page', title: 'Draft' }, drafts)
  const published = await create(on, 'Public', { status: 'published' })
  const update = await did(on, 'SVC_Content.update', { id: '/public', body: 'x' })
  for (const id of [published, update])
    assert.equal((await on.fails('SVC_Activity.undo', { ids: [id], force: true }, drafts)).code, 'refused')
  assert.deepEqual((await undo(on, [own], {}, drafts)).done, [own])
})

test('a revision that was read before an undo is stale after it', async () => {
  await using on = await openTestSite()
  await create(on, 'About', { body: 'one' })
  const id = await did(on, 'SVC_Content.update', { id: '/about', body: 'two' })
  const { revision } = await entry(on, '/about')
  await undo(on, [id])
  assert.equal((await on.fails('SVC_Content.update', { id: '/about', body: 'three', if_revision: revision })).code, 'conflict')
})

test('no kind of object whose secrets are left out of the record is restored from it', () => {
  const secretive = (Object.keys(kinds) as Kind[]).filter((kind) => kinds[kind].secret.length > 0)
  assert.ok(secretive.length >= 3)
  assert.deepEqual(
    secretive.filter((kind) => undoRules[kind].removed !== 'stay'),
    [],
  )
})
