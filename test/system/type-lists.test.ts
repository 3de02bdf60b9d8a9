// Public lists that follow their type: their order, what is over, the fields on cards, and the entries before and after.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestSite, type TestSite } from '../identity/open-test-site.ts'
import { openPages, type VisitedPages } from '../site/visited-pages.ts'

let on: TestSite
let pages: VisitedPages
before(async () => {
  on = await openTestSite()
  await on.ok('SVC_Settings.update', { set: { time_zone: 'Pacific/Auckland', posts_per_page: 2 } })
  await on.ok('SVC_Types.create', {
    slug: 'event',
    name: 'Event',
    feed: true,
    fields: [
      { name: 'day', kind: 'date', label: 'Day' },
      { name: 'place', kind: 'text', label: 'Place' },
      { name: 'size', kind: 'choice', options: ['small', 'large', 'huge'] },
    ],
    list: { sort: 'day', hide_past: 'fields.day', shows: ['day', 'place'] },
  })
  pages = openPages(on.site)
})
after(() => on[Symbol.asyncDispose]())

const add = (title: string, fields: object, more = {}) =>
  on.ok('SVC_Content.create', { type: 'event', title, body: 'Text.', status: 'published', fields, ...more })
const titles = async (path: string) =>
  [...(await pages.visit(path)).matchAll(/<h[23]><a href="[^"]*">([^<]*)<\/a><\/h[23]>/g)].map(([, title]) => title)
const beside = async (path: string) => {
  const text = await pages.visit(path)
  return ['prev', 'next'].map((rel) => new RegExp(`rel="${rel}"><small>[^<]*</small> ([^<]*)<`).exec(text)?.[1] ?? null)
}

test('a list of events comes by their day, page by page, without those that are over; feeds are newest first', async () => {
  await add('Old', { day: '2026-11-20' })
  await add('Later', { day: '2027-01-05', place: 'Harbour' })
  await add('Undated', {})
  // It is the 21st in Auckland at 22:00.
  await add('Today', { day: '2026-11-21', place: '<b>Mill</b>', size: 'huge' })
  await add('Soon', { day: '2026-11-25' })
  await add('Hidden', { day: '2026-11-22' }, { status: 'draft' })
  assert.deepEqual(await titles('/event'), ['Today', 'Soon'])
  assert.deepEqual(await titles('/event/page/2'), ['Later', 'Undated'])
  assert.match(await pages.visit('/event/page/3'), /^404|not found/i)
  const feed = await pages.visit('/event/feed.xml')
  assert.deepEqual([...feed.matchAll(/<item><title>([^<]*)/g)].map(([, title]) => title).toSorted(), [
    'Later',
    'Old',
    'Soon',
    'Today',
    'Undated',
  ])
})

test('cards and pages show the fields of the type, and not the day of publication', async () => {
  const list = await pages.visit('/event')
  assert.match(list, /<dt>Day<\/dt>\s*<dd>\s*<time datetime="2026-11-21">November 21, 2026<\/time>/)
  assert.match(list, /&lt;b&gt;Mill/)
  assert.doesNotMatch(list, /class="byline"><span><time|<dt>size/i)
  assert.doesNotMatch(await pages.visit('/event/soon'), /class="byline">\s*<span><time/)
})

test('the entries before and after are those of the list; an entry that is over has none', async () => {
  assert.deepEqual(await beside('/event/today'), [null, 'Soon'])
  assert.deepEqual(await beside('/event/soon'), ['Today', 'Later'])
  assert.deepEqual(await beside('/event/old'), [null, null])
  const changed = await on.ok('SVC_Types.update', { id: 'event', list: { sort: '-day' } })
  assert.deepEqual(await titles('/event'), ['Later', 'Soon'])
  assert.deepEqual(await beside('/event/soon'), ['Today', 'Later'], 'the earlier one still comes before')
  await on.ok('SVC_Activity.undo', { id: changed.activity_id })
  assert.deepEqual(await titles('/event'), ['Today', 'Soon'])
})

test('kept pages follow a change of a value, and what is over leaves them at midnight in the time zone of the site', async () => {
  await on.ok('SVC_Content.create', { type: 'page', title: 'Start', body: '::: latest {type="event"}\n:::', status: 'published' })
  assert.deepEqual(await titles('/start'), ['Today', 'Soon', 'Later'])
  assert.match(await pages.visit('/start'), /<dt>Place<\/dt>\s*<dd>&lt;b&gt;Mill/)
  await on.ok('SVC_Content.update', { id: '/event/later', fields: { day: '2026-11-24' } })
  assert.deepEqual(await titles('/event'), ['Today', 'Later'])
  pages.made()
  on.clock.at = Date.parse('2026-11-21T10:59:59Z')
  assert.deepEqual(await titles('/event'), ['Today', 'Later'])
  on.clock.at = Date.parse('2026-11-21T11:00:00Z')
  assert.deepEqual(await titles('/event'), ['Later', 'Soon'])
  assert.deepEqual(await titles('/start'), ['Later', 'Soon', 'Undated'])
  assert.deepEqual(await beside('/event/later'), [null, 'Soon'])
})

test('choices come in their order and texts by the rules of the language; a sorted field may be renamed and removed', async () => {
  await on.ok('SVC_Content.update', { id: '/event/soon', fields: { size: 'small', place: 'Ängelholm' } })
  await on.ok('SVC_Content.update', { id: '/event/later', fields: { size: 'large', place: 'arboga' } })
  await on.ok('SVC_Types.update', { id: 'event', list: { sort: 'size', hide_past: null } })
  assert.deepEqual([...(await titles('/event')), ...(await titles('/event/page/2'))].slice(0, 3), ['Soon', 'Later', 'Today'])
  await on.ok('SVC_Types.update', { id: 'event', list: { sort: 'place', shows: ['place'] } })
  await on.ok('SVC_Content.update', { id: '/event/today', fields: { place: 'Zurich' } })
  assert.deepEqual([...(await titles('/event')), ...(await titles('/event/page/2'))].slice(0, 3), ['Soon', 'Later', 'Today'])
  const { item: was } = await on.ok('SVC_Types.get', { id: 'event' })
  const named = was.fields.map((field: { name: string }) => (field.name === 'place' ? { ...field, name: 'town' } : field))
  await on.ok('SVC_Types.update', { id: 'event', rename: { place: 'town' }, fields: named })
  const { item } = await on.ok('SVC_Types.get', { id: 'event' })
  assert.deepEqual(item.list, { sort: 'town', hide_past: null, shows: ['town'] })
  await on.ok('SVC_Types.update', { id: 'event', fields: item.fields.filter(({ name }: { name: string }) => name !== 'town') })
  assert.deepEqual((await on.ok('SVC_Types.get', { id: 'event' })).item.list, {
    sort: '-published_at',
    hide_past: null,
    shows: [],
  })
})

for (const [list, field] of [
  [{ sort: 'nothing' }, 'list.sort'],
  [{ sort: 'tags' }, 'list.sort'],
  [{ hide_past: 'size' }, 'list.hide_past'],
  [{ shows: ['day', '__proto__'] }, 'list.shows.1'],
  [{ order: 'day' }, 'list.order'],
] as const)
  test(`${JSON.stringify(list)} is refused, and the failure names ${field}`, async () => {
    const fields = [
      { name: 'size', kind: 'number' },
      { name: 'day', kind: 'datetime' },
      { name: 'tags', kind: 'text', many: true },
    ]
    const failure = await on.fails('SVC_Types.create', { slug: 'odd', name: 'Odd', fields, list })
    assert.deepEqual([failure.code, failure.field], ['invalid', field])
  })
