// SVC_Menus: items follow their entries, hide with them, and lead nowhere unsafe; without a menu no page is lost.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { menuAt, type MenuNode } from '../../src/content/menus/menus.ts'
import { menuOf } from '../../src/site/pages/menus.ts'
import { type ContentSite, type Input, nobody, openContentSite } from './content-site.ts'
import { explainQueries } from './query-plans.ts'

const root = { languages: { main: 'en', further: [] }, branch: null }

let site: ContentSite
before(async () => {
  site = await openContentSite()
  for (const title of ['About', 'Team', 'Contact']) await site.ok('create', { type: 'page', title, status: 'published' })
  await site.ok('SVC_Terms.create', { taxonomy: 'category', name: 'News' })
})
after(() => site[Symbol.asyncDispose]())

const shown = async (id: string) => (await site.ok('SVC_Menus.get', { id }, nobody)).shown
const brief = (nodes: readonly Input[]): unknown[] =>
  nodes.map(({ label, url, items }) => [label, url, ...brief(items as Input[])])
const undo = (id: string) => site.ok('SVC_Activity.undo', { ids: [id] })

test('an item follows its entry to its path and title, is hidden with what is below it, and says why', async () => {
  const items = [
    { id: 'about', entry: '/about', items: [{ id: 'team', entry: '/team', label: 'Who' }] },
    { id: 'news', term: 'category/news' },
    { id: 'shop', label: 'Shop', url: 'https://shop.example.org/', new_tab: true },
  ]
  const { item } = await site.ok('SVC_Menus.create', { slug: 'main', location: 'main', items })
  assert.equal(item.size, 4)
  const news = ['News', '/category/news']
  const shop = ['Shop', 'https://shop.example.org/']
  assert.deepEqual(brief(await shown('main')), [['About', '/about', ['Who', '/team']], news, shop])
  await site.ok('update', { id: '/about', slug: 'us', title: 'Us' })
  assert.deepEqual(brief(await shown('main')), [['Us', '/us', ['Who', '/team']], news, shop])
  for (const [hide, show, why] of [
    ['unpublish', 'publish', 'draft'],
    ['delete', 'restore', 'trash'],
  ] as const) {
    const ids = hide === 'delete' ? { ids: ['/us'] } : { id: '/us' }
    const done = await site.ok(hide, ids)
    assert.deepEqual(brief(await shown('main')), [news, shop], why)
    assert.deepEqual((await site.ok('SVC_Menus.get', { id: 'main' })).hidden, [{ id: 'about', why }])
    assert.equal((await site.ok('SVC_Menus.list', {})).items[0].hidden, 1)
    assert.ok(show)
    await undo(done.activity_id)
  }
  const answer = await site.ok('SVC_Menus.get', { id: 'main' })
  const again = await site.ok('SVC_Menus.update', { id: 'main', items: answer.item.items })
  assert.deepEqual(again.changed, [], 'what get shows can be sent back')
  await site.ok('SVC_Terms.update', { id: 'category/news', name: 'Fresh', slug: 'fresh' })
  assert.deepEqual(brief(await shown('main'))[1], ['Fresh', '/category/fresh'])
})

test('attack 89: nobody sees in a menu what is not public, neither its title nor its id', async () => {
  const { item } = await site.ok('create', { type: 'page', title: 'Secret plan' })
  await site.ok('SVC_Menus.create', {
    slug: 'side',
    items: [{ entry: item.id, items: [{ entry: '/team' }] }, { entry: '/contact' }],
  })
  const seen = JSON.stringify([
    await site.ok('SVC_Menus.get', { id: 'side' }, nobody),
    await site.ok('SVC_Menus.list', {}, nobody),
  ])
  assert.doesNotMatch(seen, new RegExp(`Secret|secret|${item.id}`))
  assert.equal((await site.ok('SVC_Menus.get', { id: 'side' }, nobody)).item.size, 1)
})

for (const url of [
  'javascript:alert(1)',
  'java\tscript:alert(1)',
  '//evil.example',
  '/\\evil.example',
  'data:text/html,x',
  '&#106;avascript:x',
  ' https://a.example',
  'vbscript:x',
])
  test(`attack 94: a menu does not lead to ${JSON.stringify(url)}`, async () => {
    const failure = await site.fails('SVC_Menus.create', { slug: 'bad', items: [{ label: 'x', url }] })
    assert.deepEqual([failure.code, failure.field], ['invalid', 'items.0.url'])
  })

const wrong: readonly (readonly [what: string, items: readonly Input[], field: string])[] = [
  ['two targets', [{ entry: '/team', url: '/x' }], 'items.0'],
  ['no target', [{ label: 'x' }], 'items.0'],
  ['no label for an address', [{ url: '/x' }], 'items.0.label'],
  ['an entry that is not there', [{ entry: '/team', items: [{ entry: '/nowhere' }] }], 'items.0.items.0.entry'],
  ['a term that is not there', [{ term: 'category/fres' }], 'items.0.term'],
  [
    'two items of one id',
    [
      { id: 'a', entry: '/team' },
      { id: 'a', entry: '/contact' },
    ],
    'items',
  ],
  [
    'more than 500 items',
    [1, 2].map((part) => ({ entry: '/team', items: Array.from({ length: 250 }, () => ({ label: `${part}`, url: '/x' })) })),
    'items',
  ],
]
for (const [what, items, field] of wrong)
  test(`a menu with ${what} is invalid, and names the place`, async () => {
    const failure = await site.fails('SVC_Menus.create', { slug: 'bad', items })
    assert.deepEqual([failure.code, failure.field], ['invalid', field])
  })

test('one item is added at its place and removed again, the rest of the tree stays, and undo restores it', async () => {
  const before = (await site.ok('SVC_Menus.get', { id: 'main' })).item.items
  for (const [place, order] of [
    [{ before: 'news' }, ['about', 'new', 'news', 'shop']],
    [{ after: 'shop' }, ['about', 'news', 'shop', 'new']],
    [{ under: 'about' }, ['about', 'news', 'shop']],
    [{}, ['about', 'news', 'shop', 'new']],
  ] as const) {
    const added = await site.ok('SVC_Menus.add', { id: 'main', item: { id: 'new', entry: '/contact' }, ...place })
    const { items } = (await site.ok('SVC_Menus.get', { id: 'main' })).item
    assert.deepEqual(
      items.map(({ id }: Input) => id),
      order,
    )
    if ('under' in place) assert.deepEqual(items[0].items.at(-1).id, 'new')
    if ('before' in place) await undo(added.activity_id)
    else await site.ok('SVC_Menus.remove', { id: 'main', item: 'new' })
    assert.deepEqual((await site.ok('SVC_Menus.get', { id: 'main' })).item.items, before)
  }
  assert.equal((await site.fails('SVC_Menus.remove', { id: 'main', item: 'absent' })).code, 'not_found')
  assert.equal((await site.fails('SVC_Menus.create', { slug: 'other', location: 'main' })).code, 'exists')
})

test('a menu for a location that the active theme does not have is told the locations that it has', async () => {
  const warned = async (location: string) => {
    const { item, warnings } = await site.ok('SVC_Menus.create', { slug: 'unseen', location, items: [] })
    const updated = await site.ok('SVC_Menus.update', { id: item.id, location: null })
    assert.deepEqual(updated.warnings, [])
    const again = await site.ok('SVC_Menus.update', { id: item.id, location })
    assert.deepEqual(again.warnings, warnings)
    await site.ok('SVC_Menus.delete', { id: item.id })
    return warnings
  }
  const message = 'The active theme shows no menu at header. Its locations are main, footer.'
  assert.deepEqual(await warned('header'), [{ code: 'no_such_location', message }])
  assert.deepEqual(await warned('footer'), [])
  assert.deepEqual(await warned('footer.de'), [])
})

test('a page gets the menu with its base path, with what is current', async () => {
  const frame = { site: site.services, origin: 'https://a.example/blog' }
  const [about] = await menuOf(frame, 'main', '/team')
  assert.deepEqual([about?.url, about?.current, about?.inside], ['https://a.example/blog/us', false, true])
  assert.deepEqual([about?.items[0]?.current, about?.items[0]?.url], [true, 'https://a.example/blog/team'])
})

const words = { more: 'More', allPages: 'All pages' }

test('without a menu for main, the first pages stand side by side and More has all the others: no page is lost', async () => {
  await site.ok('SVC_Menus.delete', { id: 'main' })
  const labels = async () => {
    const nodes = await menuAt(site.services.store.read, 'main', site.clock.at, site.services.terms.of, words, root)
    return nodes.map(({ label, items }) => (items.length > 0 ? [label, ...items.map((one) => one.label)] : label))
  }
  assert.deepEqual(await labels(), ['Contact', 'Team', 'Us'])
  for (let n = 1; n <= 5; n++) await site.ok('create', { type: 'page', title: `Page ${n}`, status: 'published' })
  assert.equal((await labels()).length, 8)
  await site.ok('create', { type: 'page', title: 'Zoo', status: 'published' })
  await site.ok('create', { type: 'page', title: 'First', status: 'published', position: -1 })
  const pages = ['Page 1', 'Page 2', 'Page 3', 'Page 4']
  assert.deepEqual(await labels(), ['First', 'Contact', ...pages, 'Page 5', ['More', 'Team', 'Us', 'Zoo']])
  assert.deepEqual(await menuAt(site.services.store.read, 'footer', 0, site.services.terms.of, words, root), [])
})

test('without a menu for main, pages stand below the page above them by position and title', async () => {
  const make = async (title: string, input: Input = {}) =>
    (await site.ok('create', { type: 'page', title, status: 'published', ...input })).item.path
  const parent = await make('Manual', { position: -2 })
  await make('Zebra', { parent, position: -1 })
  const inner = await make('Basics', { parent })
  await make('Apple', { parent })
  await make('Inner', { parent: inner })
  await make('Hidden', { parent, status: 'draft' })
  const nodes = await menuAt(site.services.store.read, 'main', site.clock.at, site.services.terms.of, words, root)
  const shape = ({ label, path, items }: MenuNode): unknown => [label, path, ...items.map(shape)]
  assert.deepEqual(nodes[0] && shape(nodes[0]), [
    'Manual',
    '/manual',
    ['Zebra', '/manual/zebra'],
    ['Apple', '/manual/apple'],
    ['Basics', '/manual/basics', ['Inner', '/manual/basics/inner']],
  ])
})

test('the default menu has an end, where a list of all pages stands', async () => {
  for (let n = 1; n <= 60; n++) await site.ok('create', { type: 'page', title: `Zz ${n}`, status: 'published' })
  const nodes = await menuAt(site.services.store.read, 'main', site.clock.at, site.services.terms.of, words, root)
  const rest = nodes.at(-1)?.items ?? []
  assert.equal(nodes.length + rest.length, 8 + 44)
  assert.deepEqual([rest.at(-1)?.label, rest.at(-1)?.path], ['All pages', '/pages'])
})

test('the default menu looks below those pages alone that have others below them', async () => {
  const { store } = site.services
  const queries = await explainQueries(store)
  const { plans } = await queries.of(() => menuAt(store.read, 'main', site.clock.at, site.services.terms.of, words, root))
  queries.stop()
  const levels = plans.filter(({ text }) => text.includes('"position"'))
  assert.equal(levels.length, 3)
  for (const { text, plan, scans } of levels) assert.ok(!scans && !text.includes('union'), plan.join('; '))
})

test('a menu takes two queries at most, and none while nothing changes', async () => {
  const { store } = site.services
  const frame = { site: site.services, origin: 'https://a.example' }
  await site.ok('SVC_Menus.create', { slug: 'main', location: 'main', items: [{ entry: '/team' }] })
  await menuOf(frame, 'main', '/team')
  const queries = await explainQueries(store)
  assert.deepEqual((await queries.of(() => menuOf(frame, 'main', '/contact'))).plans, [])
  const { plans } = await queries.of(() => menuAt(store.read, 'main', site.clock.at, site.services.terms.of, words, root))
  queries.stop()
  assert.equal(plans.length, 2, plans.map(({ text }) => text).join('\n'))
  for (const { plan, scans } of plans) assert.ok(!scans, plan.join('; '))
})

test('`change` changes one item where it is, keeps what is left out, and refuses what `items` refuses', async () => {
  const items = [
    {
      id: 'one',
      label: 'One',
      url: '/one',
      new_tab: true,
      items: [{ id: 'two', label: 'Two', url: '/two', items: [{ id: 'three', label: 'Three', url: '/three' }] }],
    },
    { id: 'four', entry: '/contact' },
  ]
  await site.ok('SVC_Menus.create', { slug: 'changed', items })
  const change = async (given: Input) => (await site.ok('SVC_Menus.update', { id: 'changed', change: given }))['changed']
  const tree = async () => (await site.ok('SVC_Menus.get', { id: 'changed' })).item.items
  const [first, last] = await tree()

  assert.deepEqual(await change({ item: 'two', url: '/zwei' }), ['items'])
  assert.deepEqual(await tree(), [{ ...first, items: [{ ...first.items[0], url: '/zwei' }] }, last])
  await change({ item: 'one', label: 'Eins', new_tab: false })
  const [eins] = await tree()
  assert.deepEqual([eins.label, eins.url, eins.new_tab, eins.items[0].items[0].id], ['Eins', '/one', undefined, 'three'])
  await change({ item: 'four', url: '/kontakt', label: 'Kontakt' })
  assert.deepEqual((await tree())[1], { id: 'four', label: 'Kontakt', url: '/kontakt' })
  await site.ok('SVC_Terms.create', { taxonomy: 'tag', name: 'Late' })
  await change({ item: 'four', term: 'tag/late' })
  assert.deepEqual(Object.keys((await tree())[1]).sort(), ['id', 'label', 'term'])
  assert.deepEqual(await change({ item: 'four' }), [])

  const fails = async (given: Input) => site.fails('SVC_Menus.update', { id: 'changed', ...given })
  assert.equal((await fails({ change: { item: 'five', url: '/x' } })).code, 'not_found')
  assert.equal((await fails({ change: { item: 'one', url: 'javascript:alert(1)' } })).field, 'change.url')
  assert.equal((await fails({ change: { item: 'one', url: '/x', entry: '/contact' } })).field, 'change')
  assert.equal((await fails({ change: { item: 'one', url: '/x' }, items: [] })).field, 'change')
})
