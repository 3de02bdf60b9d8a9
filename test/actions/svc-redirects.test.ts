// SVC_Redirects: where old addresses lead, how chains, circles and live pages are kept apart, and what visitors ask for in vain.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sourcesFor, targetOf } from '../../src/content/redirects/redirect-rules.ts'
import { maxKept, maxNoted } from '../../src/content/redirects/visits.ts'
import { type ContentSite, type Input, nobody, openContentSite } from './content-site.ts'

let site: ContentSite
before(async () => {
  site = await openContentSite()
  for (const title of ['About', 'Prices']) await site.ok('create', { type: 'page', title, status: 'published' })
})
after(() => site[Symbol.asyncDispose]())
beforeEach(async () => {
  for (const table of ['redirect', 'redirect_hit', 'missing_path'] as const)
    await site.services.store.write.deleteFrom(table).execute()
})

const put = (rules: readonly (readonly [from: string, to: string | null])[]) =>
  site.ok('SVC_Redirects.put-many', { rules: rules.map(([from, to]) => ({ from, to })) })
const rulesNow = async () => (await site.ok('SVC_Redirects.list', { limit: 100 })).items.map(({ from, to }: Input) => [from, to])
const wayOf = async (path: string) => {
  const { hops, status } = await site.ok('SVC_Redirects.resolve', { path }, nobody)
  return [hops.at(-1)?.to, status]
}

test('chains are joined whichever rule is written first, also those that a former path begins', async () => {
  await put([['/a', '/b']])
  await put([['/b', '/about']])
  assert.deepEqual(await rulesNow(), [
    ['/a', '/about'],
    ['/b', '/about'],
  ])
  await put([['/c', '/a']])
  assert.deepEqual((await rulesNow()).at(-1), ['/c', '/about'])
  await put([
    ['/about-us', null],
    ['/d', '/about-us'],
  ])
  assert.deepEqual((await rulesNow()).at(-1), ['/d', null])
  const { item } = await site.ok('SVC_Redirects.get', { id: '/d' })
  assert.equal(item.status, 410)
})

const ways: readonly (readonly [path: string, to: string | null | undefined, status: number | null])[] = [
  ['/about', undefined, 200],
  ['/nothing', undefined, 404],
  ['/x', '/about', 200],
  ['/old/a', '/new/a', 404],
  ['/old/deep/b', '/deeper/b', 404],
  ['/old/exact', '/prices', 200],
  ['/old', undefined, 404],
  ['/gone', null, 410],
  ['/away/p q', 'https://other.example/p%20q', null],
]
test('a path follows the rule of its own, else the one with the longest path before the star', async () => {
  await put([
    ['/x', '/about'],
    ['/old/*', '/new/*'],
    ['/old/deep/*', '/deeper/*'],
    ['/old/exact', '/prices'],
    ['/gone', null],
    ['/away/*', 'https://other.example/*'],
  ])
  for (const [path, to, status] of ways) assert.deepEqual(await wayOf(path), [to, status], path)
})

test('an entry that moved leads on, is listed as moved, and gives way to a rule of that path', async () => {
  await site.ok('create', { type: 'page', title: 'Moving', status: 'published' })
  await site.ok('update', { id: '/moving', slug: 'moved' })
  await put([['/moving-old', '/moving']])
  assert.deepEqual(await wayOf('/moving'), ['/moved', 200])
  assert.deepEqual(await wayOf('/moving-old'), ['/moved', 200])
  const { items } = await site.ok('SVC_Redirects.list', { moved: true, where: { from: '/moving' }, sort: '-created_at' })
  assert.deepEqual([items[0].from, items[0].to, items[0].origin], ['/moving', '/moved', 'moved'])
  assert.equal((await site.ok('SVC_Redirects.get', { id: '/moving' })).item.origin, 'moved')
  await put([['/moving', '/about']])
  assert.deepEqual(await wayOf('/moving'), ['/about', 200])
})

test('a rule with a query is stored in one form, joined to chains, and followed before a page at its path', async () => {
  await put([
    ['/index.php?page=about&a=1', '/old-about'],
    ['/index.php?page=about', '/about'],
    ['https://example.org/about?lang=de', '/prices'],
    ['/?s=x%20y', '/prices'],
    ['/old-about', '/index.php?page=about'],
  ])
  assert.deepEqual(await rulesNow(), [
    ['/?s=x+y', '/prices'],
    ['/about?lang=de', '/prices'],
    ['/index.php?a=1&page=about', '/about'],
    ['/index.php?page=about', '/about'],
    ['/old-about', '/about'],
  ])
  assert.deepEqual(await wayOf('/index.php?x=1&page=about'), ['/about', 200])
  assert.deepEqual(await wayOf('/about?lang=de'), ['/prices', 200])
  assert.deepEqual(await wayOf('/about?lang=en'), [undefined, 200])
  assert.deepEqual(await wayOf('/index.php?page=other'), [undefined, 404])
  assert.equal((await site.fails('SVC_Redirects.create', { from: '/index.php?page=about', to: '/x' })).code, 'exists')
})

const refused: readonly (readonly [why: string, rules: readonly (readonly [string, string])[]])[] = [
  ['leads to itself', [['/a', '/a']]],
  [
    'goes round by another',
    [
      ['/a', '/b'],
      ['/b', '/a'],
    ],
  ],
  ['grows for ever', [['/a/*', '/a/b/*']]],
  [
    'goes round by a star',
    [
      ['/a/x', '/b/x'],
      ['/b/*', '/a/*'],
    ],
  ],
  [
    'two stars lead to each other',
    [
      ['/a/*', '/b/*'],
      ['/b/*', '/a/*'],
    ],
  ],
  [
    'goes round by a query',
    [
      ['/index.php?page=a', '/a'],
      ['/a', '/index.php?x=1&page=a'],
    ],
  ],
  ['adds to its own query', [['/shop?a=1', '/shop?b=2&a=1']]],
  [
    'goes round by what remains of a query',
    [
      ['/s?a=1', '/t'],
      ['/t?b=2', '/s?b=2&a=1'],
    ],
  ],
  ['is from a route with a query', [['/admin?x=1', '/prices']]],
  ['is from a public page', [['/about', '/prices']]],
  ['is from the home page', [['/', '/prices']]],
  ['is from a route', [['/admin/x', '/prices']]],
]
for (const [why, rules] of refused)
  test(`a redirect that ${why} is refused, and nothing is written`, async () => {
    const failure = await site.fails('SVC_Redirects.put-many', { rules: rules.map(([from, to]) => ({ from, to })) })
    assert.equal(failure.code, 'refused', failure.message)
    assert.deepEqual(await rulesNow(), [])
  })

for (const to of [
  '//evil.example',
  '/\\evil.example',
  '/x//evil.example',
  'javascript:alert(1)',
  'java\nscript:x',
  'data:text/html,x',
  'mailto:x@y.example',
  'https://good.example@evil.example/',
  'https://good.example*',
  'evil.example',
  '/../x',
  '/a b',
])
  test(`attack 94: a redirect does not lead to ${JSON.stringify(to)}`, async () => {
    const failure = await site.fails('SVC_Redirects.create', { from: '/x/*', to })
    assert.deepEqual([failure.code, failure.field], ['invalid', 'to'])
  })

for (const from of [
  'x',
  '//x',
  '/x?',
  '/x?a=*',
  '/x?a=1#y',
  '/x/*?a=1',
  'x?a=1',
  '/x?' + 'a&'.repeat(11),
  '/x#y',
  '/a*',
  '/*/x',
  '/x/../y',
  '/x\u0000',
  '/\ud800',
])
  test(`a redirect from ${JSON.stringify(from)} is invalid`, async () => {
    const failure = await site.fails('SVC_Redirects.create', { from, to: '/about' })
    assert.deepEqual([failure.code, failure.field?.startsWith('from')], ['invalid', true], failure.message)
  })

test('attack 94: what a star stands for names no other host', () => {
  for (const path of ['/old//evil.example', '/old/\\evil.example', '/old/../x', '/old/%2Fevil']) {
    const to = targetOf({ source: '/old/*', target: '/*', status: 301 }, path) ?? ''
    assert.match(to, /^\/(?![/])/, path)
    const away = targetOf({ source: '/old/*', target: 'https://a.example/*', status: 301 }, path) ?? ''
    assert.equal(new URL(away).host, 'a.example', path)
  }
  assert.deepEqual(sourcesFor('/a/b'), ['/a/b', '/a/*', '/*'])
  assert.ok(sourcesFor(`/${'a/'.repeat(500)}`).length <= 50)
})

test('csv and rules say the same, replace what is there, name the line at fault, and undo takes all back', async () => {
  const done = await put([
    ['/a', '/about'],
    ['/b', '/about'],
  ])
  const csv = '\ufefffrom,to,status,note\r\n/a,/prices,302,"Said ""so"", once"\r\n/b,/about\r\n/c,,410\r\n'
  const written = await site.ok('SVC_Redirects.put-many', { csv })
  assert.deepEqual([written.done.length, written.unchanged], [2, [done.done[1]]])
  const { item } = await site.ok('SVC_Redirects.get', { id: '/a' })
  assert.deepEqual([item.id, item.to, item.status, item.note], [done.done[0], '/prices', 302, 'Said "so", once'])
  await site.ok('SVC_Activity.undo', { ids: [written.activity_id] })
  assert.deepEqual(await rulesNow(), [
    ['/a', '/about'],
    ['/b', '/about'],
  ])
  for (const [bad, field] of [
    ['/a,/b\n/c,/d,999', 'csv.2'],
    ['/a,/b\nnope,/d', 'csv.2.from'],
    ['/a,/b\n/a,/c', 'csv.2.from'],
    ['from,to\n', 'csv'],
  ])
    assert.equal((await site.fails('SVC_Redirects.put-many', { csv: bad })).field, field)
  assert.equal((await site.fails('SVC_Redirects.create', { from: '/a', to: '/x' })).code, 'exists')
  const moved = await site.ok('SVC_Redirects.update', { id: '/a', from: '/a2', note: null })
  assert.deepEqual([moved.changed, moved.item.id], [['from'], done.done[0]])
})

test('visits are counted in memory, of all processes, and written together', async () => {
  await put([['/a', '/about']])
  const { item } = await site.ok('SVC_Redirects.get', { id: '/a' })
  const other = await site.other()
  for (const { visits } of [site.services, site.services, other]) {
    visits.followed(item.id)
    visits.missed('/prises', 'https://blog.example/post?token=secret#x')
  }
  site.services.visits.missed('/prises', 'javascript:x')
  await other.visits.flush()
  assert.equal((await site.ok('SVC_Redirects.get', { id: '/a' })).item.hits, 3)
  const { items, from_strangers: marked } = await site.ok('SVC_Redirects.missing', {})
  assert.deepEqual(items, [
    {
      path: '/prises',
      hits: 4,
      last_hit: '2026-11-21T09:00:00.000Z',
      referrer: 'https://blog.example/post',
      suggestion: '/prices',
    },
  ])
  assert.deepEqual(marked, ['path', 'referrer'], 'attack 160: an assistant reads whose text it is')
  await put([['/prises', '/prices']])
  assert.deepEqual((await site.ok('SVC_Redirects.missing', {})).items, [], 'it has a redirect now')
})

test('random paths fill neither the memory nor the table, and displace none that visitors miss often', async () => {
  const { visits, store } = site.services
  for (let n = 0; n < 3; n++) visits.missed('/often', undefined)
  await visits.flush()
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 2 * maxNoted; n++) visits.missed(`/random-${round}-${n}`, undefined)
    await visits.flush()
  }
  for (const path of ['/nul\u0000', '/\ud800', `/${'x'.repeat(400)}`]) visits.missed(path, undefined)
  await visits.flush()
  const rows = await store.read.selectFrom('missing_path').select(['path', 'hits']).orderBy('hits', 'desc').execute()
  assert.equal(rows.length, maxKept)
  assert.deepEqual({ ...rows[0] }, { path: '/often', hits: 3 })
})
