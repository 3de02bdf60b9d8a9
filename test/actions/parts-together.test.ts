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
  const byAddress = [
    { label: 'Out', url: 'https://example.com/harbour' },
    { label: 'H', url: '/harbour' },
  ]
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
    {
      path: '/category/news',
      kind: 'term',
      id: (await site.ok('SVC_Terms.get', { id: 'category/news' })).item.id,
      title: 'News',
    },
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
  const created = await site.ok('create', {
    type: 'boat',
    title: 'Checked',
    body,
    cover: silent.id,
    fields: { story: 'At the [quay](/quay).' },
  })
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

const rowsOf = (table: 'entry_term' | 'entry_value' | 'media_use' | 'entry_pending', id: string) =>
  site.services.store.read.selectFrom(table).selectAll().where('entry_id', '=', id).execute()

test('staged terms, fields and covers wait for publish, also in what is derived from them, and undo takes each step back', async () => {
  const { id } = await make('Waiting', { type: 'boat', terms: ['tag/old'], fields: { price: 1, story: 'One.' } })
  const cover = (await upload(5, { filename: 'cover.svg', alt: 'A cover' })).id
  const shown = async (more = {}) => {
    const { terms, fields, cover: image } = await get(id, more)
    return [refsOf(terms), fields.price, fields.story, image]
  }
  const derived = async () => {
    const [terms, values, uses] = [await rowsOf('entry_term', id), await rowsOf('entry_value', id), await rowsOf('media_use', id)]
    return [terms.length, (values as { number_value: number | null }[]).flatMap((row) => row.number_value ?? []), uses.length]
  }
  const before = [['tag/old'], 1, 'One.', null]
  const after = [['tag/old', 'tag/boats'], 2, 'One.', cover]
  await site.ok('update', { id, terms: ['tag/old', 'tag/boats'], stage: true })
  const staged = await site.ok('update', { id, fields: { price: 2 }, cover, stage: true })
  assert.deepEqual([await shown(), await shown({ stage: true }), await derived()], [before, after, [1, [1], 0]])
  assert.deepEqual((await site.ok('diff', { id, from: 'live' })).fields.map(({ field }: { field: string }) => field).toSorted(), [
    'cover',
    'fields',
    'terms',
  ])
  const published = await site.ok('publish', { id })
  assert.deepEqual([await shown(), await derived()], [after, [2, [2], 1]])
  await undo(published.activity_id)
  assert.deepEqual([await shown(), await shown({ stage: true }), await derived()], [before, after, [1, [1], 0]])
  await undo(staged.activity_id)
  assert.deepEqual(await shown({ stage: true }), [['tag/old', 'tag/boats'], 1, 'One.', null])

  // Members of `fields` that only one side changed are merged. A column that both changed is a conflict.
  await site.ok('update', { id, fields: { price: 3 }, stage: true })
  await site.ok('update', { id, fields: { story: 'Two.' } })
  assert.deepEqual((await shown({ stage: true })).slice(1, 3), [3, 'Two.'])
  await site.ok('update', { id, cover, stage: true })
  const other = (await upload(6, { filename: 'other.svg', alt: 'Another' })).id
  await site.ok('update', { id, fields: { price: 4 }, cover: other, terms: [] })
  const refused = await site.fails('publish', { id })
  assert.deepEqual([refused.code, refused.field?.split(', ').toSorted()], ['conflict', ['cover', 'fields', 'terms']])
  await site.ok('discard', { id })
  assert.deepEqual([await shown({ stage: true }), await rowsOf('entry_pending', id)], [[[], 4, 'Two.', other], []])
})

test('purge leaves no row of what is derived from an entry', async () => {
  const cover = (await upload(5, { filename: 'cover.svg' })).id
  const { id } = await make('To destroy', { type: 'boat', terms: ['tag/old'], cover, fields: { price: 1 } })
  await site.ok('update', { id, title: 'Staged', stage: true })
  const tables = ['entry_term', 'entry_value', 'media_use', 'entry_pending'] as const
  for (const table of tables) assert.equal((await rowsOf(table, id)).length, 1, table)
  await site.ok('delete', { ids: [id] })
  await site.ok('purge', { ids: [id], expect: 1 })
  for (const table of tables) assert.deepEqual(await rowsOf(table, id), [], table)
})

test('translations of a type with a path of its own stand below the path of their language, and follow languages and types', async () => {
  await site.ok('SVC_Settings.update', { set: { languages: ['de'] } })
  for (const path of ['/de/{slug}', '/{type}/{slug}'])
    assert.equal((await site.fails('SVC_Types.create', { slug: 'de', name: 'Of a language', path })).code, 'refused', path)
  assert.equal((await site.fails('SVC_Terms.save-taxonomy', { slug: 'de', name: 'Of a language' })).code, 'refused')
  const boat = await make('Gull', { type: 'boat' })
  const taube = await make('Taube', { type: 'boat', locale: 'de', translation_of: boat.id })
  const path = async () => (await get(taube.id)).path
  assert.deepEqual([boat.path, taube.path], ['/boats/gull', '/de/boats/taube'])
  await site.ok('SVC_Terms.save-taxonomy', { slug: 'fr', name: 'France' })
  await site.ok('SVC_Types.create', { slug: 'italian', name: 'Italian', path: '/it/{slug}' })
  for (const language of ['fr', 'it']) {
    const taken = await site.fails('SVC_Settings.update', { set: { languages: ['de', language] } })
    assert.deepEqual([taken.code, taken.field], ['refused', 'set.languages'], language)
  }
  const gone = await site.ok('SVC_Settings.update', { set: { languages: [] } })
  assert.equal(await path(), '/boats/taube')
  await undo(gone.activity_id)
  assert.equal(await path(), '/de/boats/taube')
  const moved = await site.ok('SVC_Types.update', { id: 'boat', path: '/ships/{slug}' })
  assert.deepEqual([await path(), (await get(boat.id)).path], ['/de/ships/taube', '/ships/gull'])
  assert.equal((await site.ok('get', { id: '/de/boats/taube' })).moved_to, '/de/ships/taube')
  await undo(moved.activity_id)
  assert.equal(await path(), '/de/boats/taube')
  const english = await site.ok('update', { id: taube.id, locale: null, translation_of: null })
  assert.equal(english.item.path, '/boats/taube')
  await undo(english.activity_id)
  assert.equal(await path(), '/de/boats/taube')
  const refused = await site.fails('SVC_Types.delete', { id: 'boat' })
  assert.equal(refused.code, 'in_use')
  const deleted = await site.ok('SVC_Types.delete', { id: 'boat', move_to: 'page' })
  assert.deepEqual([await path(), (await get(boat.id)).path], ['/de/taube', '/gull'])
  await undo(deleted.activity_id)
  assert.deepEqual([await path(), (await get(boat.id)).path], ['/de/boats/taube', '/boats/gull'])
})

test('activity names menus, terms, redirects, media and types by what people call them', async () => {
  const calls: readonly (readonly [string, Record<string, unknown>, string, string | null])[] = [
    ['SVC_Terms.create', { taxonomy: 'tag', name: 'Regatta' }, 'Regatta', '/tag/regatta'],
    ['SVC_Menus.create', { slug: 'named', name: 'Named', items: [] }, 'Named', null],
    ['SVC_Redirects.create', { from: '/named', to: 'https://example.com/' }, '/named', '/named'],
    ['SVC_Media.upload', { text: drawing(7), filename: 'named.svg', alt: 'N' }, 'named.svg', '/media/named.svg'],
    ['SVC_Types.create', { slug: 'event', name: 'Event' }, 'Event', null],
    ['SVC_Terms.save-taxonomy', { slug: 'region', name: 'Regions' }, 'Regions', null],
  ]
  for (const [call, input, title, path] of calls) {
    await site.ok(call, input)
    const { items } = await site.ok('SVC_Activity.list', { where: { call }, limit: 1, select: ['objects'] })
    const [object] = items[0].objects
    assert.deepEqual([object.title, object.path ?? null], [title, path], call)
  }
})

test('a record of staged changes names the entry, until the entry is destroyed for good (attack 123)', async () => {
  const { id } = await make('Staged secret')
  await site.ok('update', { id, body: 'New.', stage: true })
  const named = async () => (await site.ok('SVC_Activity.list', { where: { object: id }, select: ['call', 'objects'] })).items
  assert.deepEqual(await named().then(([newest]) => newest.objects), [
    { kind: 'entry', id, title: 'Staged secret', path: '/staged-secret' },
  ])
  await site.ok('publish', { id })
  assert.equal((await named())[0].objects.length, 1)
  await site.ok('update', { id, title: 'Another secret', stage: true })
  await site.ok('delete', { ids: [id] })
  await site.ok('purge', { ids: [id], expect: 1 })
  for (const { objects } of await named()) assert.deepEqual(objects, [{ kind: 'entry', id, title: null, path: null }])
})

test('SVC_Stats.site counts by type, status and month, in the time zone of the site', async () => {
  await site.ok('SVC_Types.create', { slug: 'counted', name: 'Counted' })
  const dated = (published_at: string, more = {}) => make('Dated', { type: 'counted', published_at, ...more })
  await site.ok('SVC_Settings.update', { set: { time_zone: 'Pacific/Auckland' } })
  // Still October in UTC.
  await dated('2026-11-01T00:30')
  await dated('2026-10-31T23:30')
  await dated('2026-12-24', { status: 'scheduled' })
  const { done } = await site.ok('delete', { ids: [(await make('Gone', { type: 'counted' })).id] })
  assert.equal(done.length, 1)
  const { types, months, statuses, total } = await site.ok('SVC_Stats.site', { months: 3 })
  const counted = types.find(({ type }: { type: string }) => type === 'counted')
  assert.deepEqual(
    [counted.name, counted.total, counted.statuses],
    ['Counted', 3, { draft: 0, scheduled: 1, published: 2, private: 0, trash: 1 }],
  )
  assert.deepEqual(
    months.map(({ month }: { month: string }) => month),
    ['2026-11', '2026-10', '2026-09'],
  )
  assert.deepEqual([months[1].published, months[2].published], [1, 0])
  assert.equal(total, statuses.draft + statuses.scheduled + statuses.published + statuses.private)
  await site.ok('SVC_Settings.update', { set: { time_zone: null } })
})

test('welcome counts what waits, each with the call that lists it, and tells nobody what is not theirs to do', async () => {
  const welcome = (as = tokenOf('admin')) => site.ok('SVC_API.welcome', {}, as)
  await upload(8, { filename: 'undescribed.svg' })
  site.services.visits.missed('/not-there', undefined)
  await site.services.visits.flush()
  await site.ok('SVC_Proposals.create', {
    title: 'Later',
    calls: [{ action: 'SVC_Content.create', arguments: { type: 'page', title: 'Later' } }],
  })
  const told = await welcome()
  for (const [name, call] of [
    ['staged', 'SVC_Content.list'],
    ['proposals_waiting', 'SVC_Proposals.list'],
    ['media_without_alt', 'SVC_Media.list'],
    ['missing_paths', 'SVC_Redirects.missing'],
  ] as const) {
    const named = told.next.find((one: { call: string }) => one.call.startsWith(call) && one.call !== 'SVC_Content.list')
    assert.equal(named !== undefined, told[name] > 0, name)
    if (!named) continue
    const [action = '', input = '{}'] = named.call.split(/ (.*)/s)
    assert.equal((await site.ok(action, { ...JSON.parse(input), count: true })).total, told[name], name)
  }
  assert.ok(told.proposals_waiting > 0 && told.media_without_alt > 0 && told.missing_paths > 0)
  const reader = await welcome(tokenOf('read'))
  assert.deepEqual([reader.media_without_alt, reader.missing_paths, reader.proposals_waiting], [undefined, undefined, 0])
})
