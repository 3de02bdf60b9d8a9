// The section `latest`: what visitors see changes with the entries, and nothing that is not public is in it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
before(async () => {
  site = await openSite()
  await site.call('SVC_Types.create', {
    name: 'Event',
    slug: 'event',
    fields: [{ name: 'starts', kind: 'date' }],
  })
})
after(() => site[Symbol.asyncDispose]())

const page = (slug: string, section: string) =>
  site.call('SVC_Content.create', {
    type: 'page',
    title: slug,
    slug,
    status: 'published',
    body: `::: latest {${section}}\n## Soon\n:::`,
  })
const titles = async (path: string): Promise<readonly string[]> => {
  const { text } = await site.send(path, { token: null })
  return [...text.matchAll(/<h3><a href="[^"]*">([^<]*)<\/a><\/h3>/g)].map(([, title = '']) => title)
}
const entry = (type: string, title: string, more = {}) =>
  site.call('SVC_Content.create', { type, title, status: 'published', body: `About ${title}.`, ...more })

test('the newest entries of a type are shown, and the page follows what is published and taken back', async () => {
  const { warnings } = await page('news', 'type="post" limit="2"')
  assert.deepEqual(warnings, [])
  assert.deepEqual(await titles('/news'), [])
  const { item } = await entry('post', 'One', { published_at: '2026-01-01' })
  await entry('post', 'Two & more', { published_at: '2026-01-02' })
  await entry('post', 'Three', { published_at: '2026-01-03' })
  assert.deepEqual(await titles('/news'), ['Three', 'Two &amp; more'])
  await site.call('SVC_Content.update', { id: item.id, published_at: '2026-01-04' })
  assert.deepEqual(await titles('/news'), ['One', 'Three'])
  await site.call('SVC_Content.unpublish', { id: item.id })
  assert.deepEqual(await titles('/news'), ['Three', 'Two &amp; more'])
})

test('attack 89: drafts, private and scheduled entries are in no list', async () => {
  await page('secrets', 'type="post" limit="24" sort="title"')
  const before = await titles('/secrets')
  await entry('post', 'A draft', { status: 'draft' })
  await entry('post', 'A private one', { status: 'private' })
  await entry('post', 'A later one', { published_at: '2099-01-01' })
  assert.deepEqual(await titles('/secrets'), before)
})

test('entries are sorted by a field of their type, of a term, and only what is still to come', async () => {
  await entry('event', 'Past', { fields: { starts: '2020-01-01' } })
  await entry('event', 'Far', { fields: { starts: '2090-01-01' } })
  await entry('event', 'Near', { fields: { starts: '2080-01-01' } })
  await entry('event', 'Undated')
  await page('soon', 'type="event" sort="fields.starts" upcoming="fields.starts"')
  assert.deepEqual(await titles('/soon'), ['Near', 'Far'])
  await page('all', 'type="event" sort="-fields.starts" limit="9"')
  assert.deepEqual(await titles('/all'), ['Far', 'Near', 'Past', 'Undated'])
  await site.call('SVC_Terms.create', { taxonomy: 'tag', name: 'Bread' })
  await entry('post', 'Of bread', { terms: ['tag/bread'] })
  await page('bread', 'term="tag/bread"')
  assert.deepEqual(await titles('/bread'), ['Of bread'])
  await page('none', 'term="tag/nothing"')
  assert.deepEqual(await titles('/none'), [])
})

test('a type or a query of a stranger does no harm', async () => {
  await page('odd', `type="nothing'; drop table entry" sort="__proto__" upcoming="constructor" limit="24"`)
  assert.deepEqual(await titles('/odd'), [])
  await site.call('SVC_Content.create', {
    type: 'page',
    title: 'Raw',
    slug: 'raw',
    status: 'published',
    body: '<div class="section-latest" title="type=post&limit=99999&sort=<script>"></div>',
  })
  assert.equal((await site.send('/raw', { token: null })).status, 200)
})
