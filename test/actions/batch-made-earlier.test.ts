// What an earlier call of a batch made, a later call of the same batch can use, whatever kind of thing it is. A batch that fails or is only tried
// leaves nothing of it behind, neither in the database nor in memory.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ContentSite, openContentSite, tokenOf } from './content-site.ts'

let site: ContentSite
before(async () => void (site = await openContentSite()))
after(() => site[Symbol.asyncDispose]())

type Input = Readonly<Record<string, unknown>>
const at = (action: string, input: Input = {}) => ({ action, arguments: input })
const price = { name: 'price', kind: 'number', filter: true }
const dish = (more: Input = {}) => ({ type: 'dish', title: 'Soup', status: 'published', ...more })

/** Batches whose later calls need the earlier ones, and what must be unknown as long as the batch has not run. */
const rows: readonly {
  readonly what: string
  readonly calls: readonly ReturnType<typeof at>[]
  readonly unknown: ReturnType<typeof at>
}[] = [
  {
    what: 'a type with its fields',
    calls: [
      at('SVC_Types.create', { slug: 'dish', name: 'Dish', fields: [price] }),
      at('SVC_Content.create', dish({ fields: { price: 5 } })),
      at('SVC_Content.update', { id: '$1.item.id', fields: { price: 6 } }),
      at('SVC_Content.put', { path: '/dish/stew', markdown: '---\ntype: dish\ntitle: Stew\nfields:\n  price: 7\n---\nHot.' }),
      at('SVC_Content.list', { type: 'dish', sort: '-fields.price' }),
    ],
    unknown: at('SVC_Content.create', dish()),
  },
  {
    what: 'fields that a type gains',
    calls: [
      at('SVC_Types.create', { slug: 'room', name: 'Room' }),
      at('SVC_Content.create', { type: 'room', title: 'Blue' }),
      at('SVC_Types.update', { id: 'room', fields: [{ name: 'story', kind: 'text' }] }),
      at('SVC_Content.update', { id: '/room/blue', fields: { story: 'Under the roof' } }),
      at('SVC_Content.edit', { id: '/room/blue', edits: [{ find: 'Under', replace: 'On', field: 'fields.story' }] }),
    ],
    unknown: at('SVC_Content.create', { type: 'room', title: 'x' }),
  },
  {
    what: 'a taxonomy for a type, and its terms',
    calls: [
      at('SVC_Types.create', { slug: 'wine', name: 'Wine' }),
      at('SVC_Terms.save-taxonomy', { slug: 'region', name: 'Region', types: ['wine'] }),
      at('SVC_Terms.create', { taxonomy: 'region', name: 'Mosel' }),
      at('SVC_Content.create', { type: 'wine', title: 'Riesling', terms: ['region/mosel'] }),
      at('SVC_Content.update', { id: '$3.item.id', body: 'Dry.' }),
      at('SVC_Terms.update', { id: 'region/mosel', name: 'Moselle' }),
      at('SVC_Content.get', { id: '/wine/riesling' }),
    ],
    unknown: at('SVC_Terms.create', { taxonomy: 'region', name: 'x' }),
  },
  {
    what: 'a language, and its home page',
    calls: [
      at('SVC_Settings.update', { set: { languages: ['fr'] } }),
      at('SVC_Content.create', { type: 'page', title: 'Accueil', locale: 'fr', status: 'published' }),
      at('SVC_Content.put', { path: '/fr/contact', markdown: '# Contact' }),
      at('SVC_Content.get', { id: '/fr/accueil' }),
    ],
    unknown: at('SVC_Content.get', { id: '/fr/accueil' }),
  },
  {
    what: 'settings that writes obey',
    calls: [
      at('SVC_Content.create', { type: 'page', title: 'First', status: 'published' }),
      at('SVC_Settings.update', { set: { home: '/first', time_zone: 'Asia/Tokyo', stage_edits: true } }),
      at('SVC_Content.update', { id: '/', title: 'Waits' }),
      at('SVC_Content.publish', { id: '/', published_at: '2026-01-01T00:00' }),
    ],
    unknown: at('SVC_Content.get', { id: '/first' }),
  },
  {
    what: 'a menu with its items',
    calls: [
      at('SVC_Content.create', { type: 'page', title: 'Shop', status: 'published' }),
      at('SVC_Menus.create', { slug: 'top', location: 'main', items: [{ entry: '/shop' }] }),
      at('SVC_Menus.add', { id: 'top', item: { label: 'Elsewhere', url: 'https://example.org/' } }),
      at('SVC_Menus.update', { id: '$1.item.id', name: 'Top' }),
      at('SVC_Menus.get', { id: 'top' }),
    ],
    unknown: at('SVC_Menus.get', { id: 'top' }),
  },
  {
    what: 'a skill, and a redirect',
    calls: [
      at('SVC_Skills.put', { slug: 'tone', when: 'Writing', text: 'Short.' }),
      at('SVC_Skills.put', { slug: 'tone', when: 'Writing', text: 'Shorter.' }),
      at('SVC_Redirects.create', { from: '/old-shop', to: '/new-shop' }),
      at('SVC_Redirects.update', { id: '/old-shop', note: 'Moved' }),
      at('SVC_Skills.get', { id: 'tone' }),
    ],
    unknown: at('SVC_Skills.get', { id: 'tone' }),
  },
]

const failing = at('SVC_Content.update', { id: '/nowhere', title: 'x' })
const send = (calls: readonly Input[], more: Input = {}) => site.ok('SVC_API.batch', { calls, ...more })
const fails = (calls: readonly Input[]) => site.fails('SVC_API.batch', { calls })
const isUnknown = async ({ action, arguments: input }: ReturnType<typeof at>) =>
  assert.match((await site.fails(action, input)).code, /^(?:invalid|not_found)$/)

for (const { what, calls, unknown } of rows)
  test(`${what}, made by earlier calls of a batch: later calls can use it, and a batch that fails leaves nothing`, async () => {
    await send(calls, { dry_run: true })
    await isUnknown(unknown)
    const failed = await fails([...calls, failing])
    assert.deepEqual([failed.code, failed.field], ['not_found', `calls.${calls.length}`])
    await isUnknown(unknown)
    const done = await send(calls)
    for (const result of done.results) assert.equal(result.error, undefined, JSON.stringify(result))
    results.set(what, done.results)
  })

const results = new Map<string, any[]>() // oxlint-disable-line no-explicit-any -- answers

test('the results are those of calls made one after the other', () => {
  const of = (what: string) => results.get(what) ?? []
  const dishes = of('a type with its fields')
  assert.deepEqual(
    dishes[4].items.map((item: { title: string }) => item.title),
    ['Stew', 'Soup'],
  )
  assert.deepEqual([dishes[1].item.path, dishes[2].changed], ['/dish/soup', ['fields']])
  const [, , waits, published] = of('settings that writes obey')
  assert.deepEqual([waits.live, published.item.title, published.item.published_at], [false, 'Waits', '2025-12-31T15:00:00.000Z'])
  assert.deepEqual(of('a taxonomy for a type, and its terms')[6].item.terms[0].name, 'Moselle')
})

test('what is prepared before the writes does not see them, and says so', async () => {
  const calls = [
    at('SVC_Terms.create', { taxonomy: 'tag', name: 'Early' }),
    at('SVC_Themes.configure', { id: 'mine', settings: { footer_text: 'x' } }),
  ]
  const failure = await fails(calls)
  assert.deepEqual([failure.code, failure.field], ['not_found', 'calls.1'])
  assert.match(String(failure.hint), /make two batches/)
})

test('a wrong type or field is refused as in a call of its own, and so is one that an earlier call removed', async () => {
  const type = at('SVC_Types.create', { slug: 'car', name: 'Car', fields: [price] })
  const refused: readonly (readonly [readonly Input[], string, string])[] = [
    [[type, at('SVC_Content.create', { type: 'cart', title: 'x' })], 'invalid', 'calls.1.arguments.type'],
    [
      [type, at('SVC_Content.create', { type: 'car', title: 'x', fields: { prize: 1 } })],
      'invalid',
      'calls.1.arguments.fields.prize',
    ],
    [
      [type, at('SVC_Content.create', { type: 'car', title: 'x', fields: { price: 'a' } })],
      'invalid',
      'calls.1.arguments.fields.price',
    ],
    [
      [type, at('SVC_Content.put', { path: '/car/x', markdown: '---\ntype: cart\ntitle: x\n---' })],
      'invalid',
      'calls.1.arguments.type',
    ],
    [
      [type, at('SVC_Types.delete', { id: 'car' }), at('SVC_Content.create', { type: 'car', title: 'x' })],
      'invalid',
      'calls.2.arguments.type',
    ],
  ]
  for (const [calls, code, field] of refused) {
    const failure = await fails(calls)
    assert.deepEqual([failure.code, failure.field], [code, field], failure.message)
  }
  await isUnknown(at('SVC_Content.create', { type: 'car', title: 'x' }))
})

test('an approved proposal makes what its later calls need', async () => {
  const nobody = { ...tokenOf('admin'), token: null, account: null }
  const calls = [
    at('SVC_Types.create', { slug: 'tour', name: 'Tour', fields: [price] }),
    at('SVC_Content.create', { type: 'tour', title: 'Harbour', fields: { price: 9 } }),
  ]
  const { item } = await site.ok('SVC_Proposals.create', { title: 'Tours', calls }, nobody)
  const { digest } = (await site.ok('SVC_Proposals.get', { id: item.id })).item
  await site.ok('SVC_Proposals.approve', { id: item.id, digest })
  assert.deepEqual((await site.ok('get', { id: '/tour/harbour' })).item.fields, { price: 9 })
})
