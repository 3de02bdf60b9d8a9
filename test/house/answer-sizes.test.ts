// The answers in which a client discovers what there is: an assistant reads them before it does anything, so each has a limit.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
before(async () => {
  site = await openSite()
  await site.call('SVC_Themes.create', { slug: 'ours', from: 'default' })
  await site.call('SVC_Themes.configure', { id: 'ours', settings: { accent: '#1d5a99' } })
})
after(() => site[Symbol.asyncDispose]())

const kib = 1024

/** The most bytes of each answer to an admin of a new site. */
const limits: readonly (readonly [call: string, input: Record<string, unknown>, most: number])[] = [
  ['SVC_API.welcome', {}, 1.5 * kib],
  ['SVC_API.list-actions', {}, 8 * kib],
  ['SVC_API.list-actions', { names: true }, 2.75 * kib],
  ['SVC_API.list-actions', { class: 'SVC_Content' }, 3.5 * kib],
  ['SVC_API.list-actions', { search: 'rename a page' }, 2.5 * kib],
  ['SVC_Docs.list', {}, 2 * kib],
  ['SVC_Docs.search', { query: 'redirect' }, 4 * kib],
  ['SVC_Themes.list', {}, 2 * kib],
  ['SVC_Themes.get', { id: 'default' }, 1.5 * kib],
  ['SVC_Themes.get', { id: 'ours' }, 2 * kib],
  ['SVC_Settings.list', {}, 5 * kib],
  ['SVC_Types.list', {}, 1 * kib],
  ['SVC_API.describe-action', { action: 'SVC_Content.create' }, 3.65 * kib],
  ['SVC_API.describe-action', { action: 'SVC_Menus.create' }, 2.25 * kib],
]

for (const [call, input, most] of limits)
  test(`${call} ${JSON.stringify(input)} answers at most ${most} bytes`, async () => {
    const bytes = Buffer.byteLength(JSON.stringify(await site.call(call, { arguments: input })))
    assert.ok(bytes <= most, `${bytes} bytes`)
    assert.ok(bytes > most / 5, `${bytes} bytes: the limit is far away`)
  })

test('no description of an action is longer than 4 KiB, and all together have at most 272', async () => {
  const { items } = (await site.call('SVC_API.list-actions', { full: true })) as { items: { class: string; action: string }[] }
  let all = 0
  for (const { class: ofClass, action } of items) {
    const described = await site.call('SVC_API.describe-action', { arguments: { class: ofClass, action } })
    const bytes = Buffer.byteLength(JSON.stringify(described))
    assert.ok(bytes <= 4 * kib, `${ofClass}.${action}: ${bytes} bytes`)
    all += bytes
  }
  assert.ok(all <= 272 * kib, `${all} bytes`)
})

test('writes to many entries answer counts and ten of each, and all with full', async () => {
  const many = 30
  const calls = Array.from({ length: many }, (_, at) => ({
    action: 'SVC_Content.create',
    arguments: { type: 'page', title: `Page ${at}`, body: 'Call 555 0100.', ...(at > 0 && { parent: '$0.item.id' }) },
  }))
  await site.call('SVC_API.batch', { calls })
  const where = { title: { has: 'Page' } }
  const kibOf = (answer: unknown) => Buffer.byteLength(JSON.stringify(answer)) / kib

  const replacing = { find: '555 0100', replace: '555 0199', expect: many }
  const some = await site.call('SVC_Content.replace-all', {
    ...replacing,
    dry_run: true,
    select: ['done', 'entries', 'counts', 'matches'],
  })
  assert.deepEqual(
    [some.done.length, some.entries.length, some.counts, some.matches],
    [10, 10, { done: many, elsewhere: 0 }, many],
  )
  assert.ok(kibOf(some) < 2.5, `${kibOf(some)} KiB`)
  const all = await site.call('SVC_Content.replace-all', { ...replacing, full: true })
  assert.deepEqual([all.done.length, all.entries.length], [many, many])

  const set = { locale: null, position: 3 }
  const updated = await site.call('SVC_Content.update-many', { where, set, expect: many })
  assert.deepEqual([updated.done.length, updated.counts], [10, { done: many, unchanged: 0 }])
  const again = await site.call('SVC_Content.update-many', { where, set, expect: many, full: true })
  assert.deepEqual([again.unchanged.length, again.counts], [many, { done: 0, unchanged: many }])

  const moved = await site.call('SVC_Content.move', { id: '/page-0', slug: 'moved' })
  assert.deepEqual([moved.redirects.length, moved.redirects_total], [10, many])
  const back = await site.call('SVC_Content.move', { id: '/moved', slug: 'page-0', full: true })
  assert.deepEqual([back.redirects.length, back.redirects_total], [many, many])

  const ids = (await site.call('SVC_Content.list', { where, limit: 100, select: ['id'] })).items.map(
    ({ id }: { id: string }) => id,
  )
  await site.call('SVC_Content.delete', { ids })
  const purged = await site.call('SVC_Content.purge', { where: {}, expect: many })
  assert.deepEqual([purged.done.length, purged.counts.done], [10, many])

  const rules = Array.from({ length: many }, (_, at) => ({ from: `/gone-${at}`, to: null }))
  const put = await site.call('SVC_Redirects.put-many', { rules })
  assert.deepEqual([put.done.length, put.counts], [10, { done: many, unchanged: 0 }])
})

test('an older release answers the long forms, as it did', async () => {
  await using old = await openSite({ release: '0.11' })
  const { items } = await old.call('SVC_API.list-actions')
  assert.deepEqual(Object.keys(items[0]), ['class', 'action', 'summary', 'effect'])
  assert.ok((await old.call('SVC_Docs.list')).items[0].sections.length > 0)
  const { input, output } = await old.call('SVC_API.describe-action', { arguments: { action: 'SVC_Content.get' } })
  assert.deepEqual([typeof input, typeof output], ['object', 'string'])
  const { item } = await old.call('SVC_Themes.get', { id: 'default' })
  assert.ok(item.files.length > 20 && item.settings.length > 10 && item.unchanged === undefined)
})
