// What a record was about, restore points, and the digest: who changed what, found by title, path and id, and told to those who may know.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Caller } from '../../src/identity/caller.ts'
import { nobody } from '../actions/content-site.ts'
import { type Data, openTestSite, type TestSite } from '../identity/open-test-site.ts'

let on: TestSite
before(async () => (on = await openTestSite()))
after(() => on[Symbol.asyncDispose]())

/** Does a write a second later than the one before. */
async function did(name: string, input: Record<string, unknown>, as: Caller = on.admin): Promise<Data> {
  on.clock.at += 1000
  return on.ok(name, input, as)
}
const create = async (title: string, more: Record<string, unknown> = {}) =>
  (await did('SVC_Content.create', { type: 'page', title, ...more })).item
const list = async (input: Record<string, unknown>, as?: Caller) => (await on.ok('SVC_Activity.list', input, as)).items as Data[]
const calls = (items: Data[]) => items.map(({ call }) => call.replace(/^SVC_\w+\./, ''))

test('“who changed the opening hours?” is one call, by title, by path, by former path and by id, also once it is in the trash', async () => {
  const { id } = await create('Opening hours')
  await create('Contact')
  await did('SVC_Content.update', { id, body: 'Ten to six.' })
  await did('SVC_Content.update', { id, slug: 'times' })
  await did('SVC_Content.delete', { ids: [id] })
  const expected = ['delete', 'update', 'update', 'create']
  const asked: readonly (readonly [what: string, input: Record<string, unknown>])[] = [
    ['its title', { search: 'opening hours' }],
    ['its first path', { where: { object: '/opening-hours' } }],
    ['its last path', { where: { object: '/times' } }],
    ['its id', { where: { object: id } }],
  ]
  for (const [what, input] of asked) {
    const items = await list(input)
    assert.deepEqual(calls(items), expected, what)
    assert.deepEqual(items[0].objects, [{ kind: 'entry', id, title: 'Opening hours', path: '/times' }], what)
    assert.deepEqual(items[3].objects, [{ kind: 'entry', id, title: 'Opening hours', path: '/opening-hours' }], what)
  }
  await create('Something new', { slug: 'opening-hours' })
  assert.deepEqual(calls(await list({ where: { object: '/opening-hours' } })), ['create', ...expected], 'both that had the path')
  assert.deepEqual(await list({ where: { object: '/never-there' } }), [])
})

test('a record says what it was about whatever the kind, and shows the first five of many', async () => {
  await did('SVC_Settings.update', { set: { site_title: 'The shop' } })
  const [setting] = await list({ limit: 1 })
  assert.deepEqual(setting.objects, [{ kind: 'setting', id: 'site_title', title: 'site_title', path: null }])
  const batch = Array.from({ length: 7 }, (_, at) => ({
    action: 'SVC_Content.create',
    arguments: { type: 'post', title: `Batched ${at}` },
  }))
  await did('SVC_API.batch', { calls: batch })
  const [many] = await list({ search: 'batched 6', limit: 1 })
  assert.equal(many.objects.length, 5)
  assert.equal((await on.ok('SVC_Activity.get', { id: many.id })).item.objects[0].title, 'Batched 0')
})

test('attack 123: what was destroyed for good is named by no record, and found by no search', async () => {
  const { id } = await create('Secret surprise', { slug: 'surprise-party' })
  await did('SVC_Content.delete', { ids: [id] })
  await did('SVC_Content.purge', { ids: [id], expect: 1 })
  assert.deepEqual(await list({ search: 'surprise' }), [])
  const items = await list({ where: { object: id } })
  assert.deepEqual(calls(items), ['purge', 'delete', 'create'])
  for (const { objects } of items) assert.deepEqual(objects, [{ kind: 'entry', id, title: null, path: null }])
  const paths = await on.site.store.read.selectFrom('activity_object').select('path').where('object_id', '=', id).execute()
  assert.deepEqual(new Set(paths.map(({ path }) => path)), new Set([null]))
})

test('a record of an earlier release shows its objects as they are called now', async () => {
  const { id } = await create('Old record')
  await on.site.store.write.updateTable('activity').set({ objects: null, about: null }).execute()
  const [item] = await list({ where: { object: id } })
  assert.deepEqual(item.objects, [{ kind: 'entry', id, title: 'Old record', path: '/old-record' }])
})

test('undo takes back everything since a restore point, by its name or its id, and nothing before it', async () => {
  const writer = on.as('content')
  await did('SVC_Content.create', { type: 'page', title: 'Before' }, writer)
  const { item: mark } = await on.ok('SVC_Activity.mark', { name: 'before the redesign' }, writer)
  // In the same millisecond.
  await on.ok('SVC_Content.create', { type: 'page', title: 'At once' }, writer)
  await did('SVC_Content.create', { type: 'page', title: 'Later' }, writer)
  await did('SVC_Content.create', { type: 'page', title: 'By another' })
  const token = writer.token?.id
  const missing = await on.fails('SVC_Activity.undo', { since: 'before the redesign' })
  assert.deepEqual([missing.code, missing.field], ['invalid', 'by'])
  assert.match(String(missing.hint), new RegExp(token ?? '-'))
  for (const since of ['before the redesign', mark.id]) {
    const tried = await on.ok('SVC_Activity.undo', { since, token, dry_run: true }, writer)
    assert.deepEqual([tried.done.length, tried.skipped], [2, []], since)
  }
  await did('SVC_Activity.undo', { since: 'before the redesign', token }, writer)
  const titles = (await on.ok('SVC_Content.list', { limit: 100 })).items.map(({ title }: Data) => title)
  for (const [title, stays] of [
    ['Before', true],
    ['At once', false],
    ['Later', false],
    ['By another', true],
  ] as const)
    assert.equal(titles.includes(title), stays, title)
})

test('a restore point leaves the site as it was, cannot be undone, and has a name that is no date', async () => {
  const dry = await on.ok('SVC_Activity.mark', { name: 'x', dry_run: true })
  assert.deepEqual([dry.item.id, dry.activity_id], [null, null])
  const { activity_id } = await on.ok('SVC_Activity.mark', { name: 'kept' })
  assert.equal((await on.fails('SVC_Activity.undo', { ids: [activity_id] })).code, 'refused')
  for (const name of ['2026-11-21', '-7d', ' x', 'a\nb']) {
    const { code, field } = await on.fails('SVC_Activity.mark', { name })
    assert.deepEqual([code, field], ['invalid', 'name'], name)
  }
  assert.equal((await on.fails('SVC_Activity.digest', { since: 'no such name' })).field, 'since')
})

test('the digest counts what happened since a time, by whom, and names what changed most; what is undone is no highlight', async () => {
  on.clock.at += 3_600_000
  await did('SVC_Activity.mark', { name: 'monday' })
  const { id } = await create('Menu')
  await did('SVC_Content.update', { id, body: 'Soup.' }, on.as('content'))
  await did('SVC_Content.update', { id, title: 'The menu' })
  const { activity_id } = await did('SVC_Content.create', { type: 'page', title: 'Mistake' })
  await did('SVC_Activity.undo', { ids: [activity_id] })
  const told = await on.ok('SVC_Activity.digest', { since: 'monday' })
  assert.deepEqual([told.counts.records, told.counts.undone], [5, 1])
  assert.deepEqual(told.counts.calls[0], { call: 'SVC_Content.create', records: 2 })
  const [first] = told.highlights
  assert.deepEqual(
    [first.title, first.path, first.records, first.calls],
    ['The menu', '/menu', 3, ['SVC_Content.update', 'SVC_Content.create']],
  )
})

test('attack 89: a digest and a search of records name nothing to those who may not see it', async () => {
  await did('SVC_Settings.update', { set: { site_tagline: 'Hidden' } })
  const draft = await create('A draft of mine')
  const reader = on.as('read')
  const told = await on.ok('SVC_Activity.digest', { since: '-1d' }, reader)
  assert.equal(
    told.highlights.some(({ kind }: Data) => kind === 'setting'),
    false,
  )
  assert.equal(told.counts.people.length > 0, false, 'a reader sees no record of those that write')
  assert.deepEqual(await list({ search: 'draft of mine' }, reader), [])
  assert.deepEqual(await list({ where: { object: draft.id } }, reader), [])
  for (const name of ['SVC_Activity.digest', 'SVC_Activity.list', 'SVC_Activity.mark'])
    assert.equal((await on.fails(name, { since: '-1d', name: 'x' }, nobody)).code, 'unknown_action', name)
})
