// Entries, terms, menus, redirects, media and types together: what links to what, what an editor would mend, and what waits for publish.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ContentSite, openContentSite, tokenOf } from './content-site.ts'

let site: ContentSite
before(async () => {
  site = await openContentSite()
  for (const name of ['Boats', 'Old']) await site.ok('SVC_Terms.create', { taxonomy: 'tag', name })
  await site.ok('SVC_Terms.create', { taxonomy: 'category', name: 'News', text: 'See [our harbour](/harbour).' })
  await site.ok('SVC_Types.create', {
    slug: 'boat',
    name: 'Boat',
    path: '/boats/{slug}',
    fields: [
      { name: 'home', kind: 'entry', of: 'page' },
      { name: 'story', kind: 'markdown' },
      { name: 'site', kind: 'url' },
      { name: 'price', kind: 'number', filter: true },
      { name: 'trips', kind: 'group', many: true, of: [{ name: 'to', kind: 'entry' }] },
    ],
  })
})
after(() => site[Symbol.asyncDispose]())

type Item = { id: string; path: string }
const make = async (title: string, more: Record<string, unknown> = {}): Promise<Item> =>
  (await site.ok('create', { type: 'page', title, status: 'published', ...more })).item
const get = async (id: string, more: Record<string, unknown> = {}) => (await site.ok('get', { id, ...more })).item
const undo = (id: string) => site.ok('SVC_Activity.undo', { ids: [id] })
const drawing = (radius: number) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="${radius}"/></svg>`
const upload = async (radius: number, more: Record<string, unknown>): Promise<Item> =>
  (await site.ok('SVC_Media.upload', { text: drawing(radius), ...more })).item
const refsOf = (rows: readonly { ref: string }[]) => rows.map(({ ref }) => ref)

test('update-many adds terms and removes terms, and leaves the others of each entry', async () => {
  const one = await make('First boat', { type: 'post', terms: ['tag/old', 'category/news'] })
  const two = await make('Second boat', { type: 'post' })
  const ids = [one.id, two.id]
  const set = { terms: { add: ['tag/boats'], remove: ['tag/old'] } }
  const done = await site.ok('update-many', { ids, set, expect: 2 })
  const terms = async (id: string, more = {}) => refsOf((await get(id, more)).terms)
  assert.deepEqual([await terms(one.id), await terms(two.id)], [['category/news', 'tag/boats'], ['tag/boats']])
  assert.equal((await site.ok('update-many', { ids, set, expect: 2 })).unchanged.length, 2)
  assert.deepEqual(
    (await site.ok('list', { where: { terms: 'tag/boats' } })).items.map(({ id }: Item) => id).toSorted(),
    ids.toSorted(),
  )
  await undo(done.activity_id)
  assert.deepEqual([await terms(one.id), await terms(two.id)], [['tag/old', 'category/news'], []])
  const wrong = await site.fails('update-many', { ids, set: { terms: { add: ['tag/boat'] } }, expect: 2 })
  assert.deepEqual([wrong.code, wrong.field, wrong.expected], ['invalid', 'set.terms.add.0', ['tag/boats']])
  await site.ok('update-many', { ids, set, expect: 2 }, tokenOf('content', { drafts_only: true }))
  assert.deepEqual(
    [await terms(one.id), await terms(one.id, { stage: true })],
    [
      ['tag/old', 'category/news'],
      ['category/news', 'tag/boats'],
    ],
  )
  await site.ok('update-many', { ids, set: { terms: [], excerpt: 'E' }, expect: 2 })
  assert.deepEqual(await terms(one.id), [])
})

test('links names the menus, redirects, terms and fields that lead to an entry, and what its own links lead to', async () => {
  const harbour = await make('Harbour')
  const menu = (await site.ok('SVC_Menus.create', { slug: 'main', name: 'Main', items: [{ entry: harbour.id }] })).item
  const byAddress = [{ label: 'Out', url: 'https://example.com/harbour' }, { label: 'H', url: '/harbour' }]
  const footer = (await site.ok('SVC_Menus.create', { slug: 'footer', name: 'Footer', items: byAddress })).item
  await site.ok('SVC_Menus.create', { slug: 'side', name: 'Side', items: byAddress.slice(0, 1) })
  const redirect = (await site.ok('SVC_Redirects.create', { from: '/port', to: '/harbour' })).item
  const boat = async (title: string, fields: Record<string, unknown>) =>
    (await make(title, { type: 'boat', fields: { ...fields } })).id
  const linking = [
    await boat('By reference', { home: harbour.id }),
    await boat('By text', { story: 'Lies in the [harbour](/harbour).' }),
    await boat('By address', { site: '/harbour' }),
    await boat('By trip', { trips: [{ to: harbour.id }] }),
  ]
  await boat('By words', { story: 'Lies in /harbour.', site: 'https://example.com/harbour' })
  await site.ok('update', { id: harbour.id, slug: 'old-harbour' })
  const { in: sources } = await site.ok('links', { id: harbour.id })
  const ofKind = (kind: string) => sources.filter((one: { kind: string }) => one.kind === kind).map(({ id }: Item) => id)
  assert.deepEqual(
    [ofKind('entry'), ofKind('menu'), ofKind('redirect'), ofKind('term').length],
    [linking.toSorted(), [menu.id, footer.id].toSorted(), [redirect.id], 1],
  )
  const logo = await upload(1, { filename: 'mark.svg', alt: 'A mark' })
  const [, second] = linking
  await site.ok('update', {
    id: second,
    body: `[old](/port) [news](/category/news) [home](/) [file](/media/mark.svg) ![](${logo.id}) [none](/media/none.pdf)`,
    fields: { home: harbour.id, story: null },
  })
  assert.deepEqual((await site.ok('links', { id: second })).out, [
    { path: '/port', kind: 'redirect', id: redirect.id, status: '200', leads_to: '/old-harbour' },
    { path: '/category/news', kind: 'term', id: (await site.ok('SVC_Terms.get', { id: 'category/news' })).item.id, title: 'News' },
    { path: '/media/mark.svg', kind: 'media', id: logo.id, title: 'mark.svg', status: 'public' },
    { path: '/media/none.pdf', kind: 'media', missing: true },
    { path: '/media/mark.svg', kind: 'media', id: logo.id, title: 'mark.svg', status: 'public' },
    { path: '/old-harbour', kind: 'entry', id: harbour.id, title: 'Harbour', status: 'published' },
  ])
})

test('check knows redirects, archives, media and menus, and mends links in fields', async () => {
  const quay = await make('Quay')
  await site.ok('update', { id: quay.id, slug: 'new-quay' })
  await site.ok('SVC_Redirects.create', { from: '/gone', to: null })
  await site.ok('SVC_Redirects.create', { from: '/wharf', to: '/new-quay' })
  await site.ok('SVC_Redirects.create', { from: '/nowhere', to: '/nothing-there' })
  const described = await upload(2, { filename: 'described.svg', alt: 'A boat' })
  const plain = await upload(3, { filename: 'plain.svg', alt: '' })
  const silent = await upload(4, { filename: 'silent.svg' })
  const body = `[a](/wharf) [b](/category/news) [c](/gone) [d](/nowhere) [e](/media/none.pdf) [f](/posts) [g](/2026/11)
![](/media/described.svg) ![](${plain.id}) ![](/media/silent.svg) ![](https://example.com/media/described.svg)`
  const created = await site.ok('create', { type: 'boat', title: 'Checked', body, cover: silent.id, fields: { story: 'At the [quay](/quay).' } })
  assert.deepEqual(
    created.warnings.map(({ code, found }: { code: string; found: string[] }) => [code, found]),
    [['alt_missing', ['/media/silent.svg', 'https://example.com/media/described.svg']]],
  )
  const look = async (id: string, rules: readonly string[]) => (await site.ok('check', { ids: [id], rules })).items
  const found = await look(created.item.id, ['links', 'alt'])
  assert.deepEqual(
    found.map(({ place, fix }: { place: string; fix: unknown }) => [place, fix !== null]),
    [
      ['body: /gone', false],
      ['body: /nowhere', false],
      ['body: /media/none.pdf', false],
      ['fields.story: /quay', true],
      ['body: /media/silent.svg', false],
      ['body: https://example.com/media/described.svg', false],
      [`cover: /media/silent.svg`, false],
    ],
  )
  const { fix } = found[3]
  await site.ok(fix.call, fix.arguments)
  assert.equal((await get(created.item.id)).fields.story, 'At the [quay](/new-quay).')
  await site.ok('SVC_Media.update', { id: silent.id, alt: 'A quay' })
  await site.ok('SVC_Media.delete', { ids: [described.id], force: true })
  assert.deepEqual(
    (await look(created.item.id, ['alt'])).map(({ place }: { place: string }) => place),
    ['body: https://example.com/media/described.svg'],
  )
  const child = await make('Below', { parent: quay.id })
  assert.equal((await look(child.id, ['orphans'])).length, 1)
  await site.ok('SVC_Menus.create', { slug: 'orphans', items: [{ entry: child.id }] })
  assert.equal((await look(child.id, ['orphans'])).length, 0)
})
