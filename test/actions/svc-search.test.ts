// SVC_Search: what a query finds and how it is shown, who finds what, other spellings, similar entries, and a new index.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type ContentSite, nobody, openContentSite, tokenOf } from './content-site.ts'

let site: ContentSite
before(async () => {
  site = await openContentSite()
  for (const [title, body, status = 'published', more = {}] of entries)
    await site.ok('create', { type: 'post', title, body, status, ...more })
})
after(() => site[Symbol.asyncDispose]())

type Row = readonly [title: string, body: string, status?: string, more?: Record<string, unknown>]

const entries: readonly Row[] = [
  ['Lighthouse keeper', 'The **keeper** of the [lighthouse](https://example.org/zephyr) climbs 99 steps.'],
  [
    'Steps',
    `${'Much is written about other things here. '.repeat(60)}\n\nA ferry to the Lighthouse leaves at noon.\n\n${'More. '.repeat(400)}`,
  ],
  ['Harbour office', 'Opening hours of the harbour: nine to five. <script>alert(1)</script> & <b>more</b>'],
  ['Hours', 'The hours of opening are long.'],
  ['Straße', 'Die Straße am Fluß mit Café Crème.', 'published', { locale: 'de' }],
  ['港の話', '東京都の港から船が出る。', 'published', { locale: 'ja' }],
  ['부산', '서울에서 부산까지 갑니다.'],
  ['Plans', 'The submarine is secret, and so is the zeppelin by the lighthouse.', 'draft'],
  ['State', 'A state-of-the-art pump, title:x and more.'],
  ['Summary', 'Nothing of that in it.', 'published', { excerpt: 'An *observatory* on the hill.' }],
]

const query = (input: Record<string, unknown>, as = tokenOf('read')) => site.ok('SVC_Search.query', input, as)
const titles = async (text: string, more: Record<string, unknown> = {}, as = tokenOf('read')) =>
  (await query({ query: text, ...more }, as)).items.map(({ title }: { title: string }) => title)
/** A snippet with its marks in brackets. */
const marked = ({ snippet, marks }: { snippet: string; marks: [number, number][] }) =>
  marks
    .toReversed()
    .reduce((text, [start, end]) => `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`, snippet)

const finds: readonly (readonly [query: string, titles: readonly string[], more?: Record<string, unknown>])[] = [
  ['lighthouse', ['Lighthouse keeper', 'Plans', 'Steps']],
  ['LIGHTHOUSE keeper', ['Lighthouse keeper']],
  ['opening hours', ['Hours', 'Harbour office']],
  ['"opening hours"', ['Harbour office']],
  ['“Hours of opening” long', ['Hours']],
  ['opening" hours', ['Hours', 'Harbour office']],
  ['lightho', []],
  ['lightho', ['Lighthouse keeper', 'Plans', 'Steps'], { typing: true }],
  ['keeper lightho', ['Lighthouse keeper'], { typing: true }],
  ['lightho keeper', [], { typing: true }],
  ['l', [], { typing: true }],
  ['strasse CAFE', ['Straße']],
  ['strasse', [], { locale: 'fr' }],
  ['strasse', ['Straße'], { locale: 'de' }],
  ['東京', ['港の話']],
  ['港', ['港の話']],
  ['"東京都の港"', ['港の話']],
  ['"港から船"', ['港の話']],
  ['都東', []],
  ['부산', ['부산']],
  ['state-of-the-art', ['State']],
  ['observatory', ['Summary']],
  ['lighthouse', ['Plans'], { where: { status: 'draft' } }],
  ['lighthouse', [], { type: 'page' }],
]

for (const [text, expected, more = {}] of finds)
  test(`“${text}” ${JSON.stringify(more)} finds ${expected.join(', ') || 'nothing'}`, async () => {
    const found = await titles(text, more)
    assert.deepEqual([found[0], found.toSorted()], [expected[0], expected.toSorted()])
  })

const snippets: readonly (readonly [query: string, title: string, snippet: RegExp])[] = [
  ['lighthouse steps', 'Lighthouse keeper', /^The keeper of the \[lighthouse\] climbs 99 \[steps\]\.$/],
  ['lighthouse ferry', 'Steps', /^….*A \[ferry\] to the \[Lighthouse\] leaves at noon\. More\..*…$/],
  ['opening', 'Harbour office', /^\[Opening\] hours of the harbour: nine to five\. & more$/],
  ['"opening hours"', 'Harbour office', /^\[Opening hours\] of the harbour/],
  ['strasse creme', 'Straße', /^Die \[Straße\] am Fluß mit Café \[Crème\]\.$/],
  ['東京都 船', '港の話', /^\[東京都\]の港から\[船\]が出る。$/],
  ['부산', '부산', /^서울에서 \[부산\]까지 갑니다\.$/],
  ['observatory', 'Summary', /^An \[observatory\] on the hill\.$/],
  ['zephyr', 'Lighthouse keeper', /^The keeper of the lighthouse climbs 99 steps\.$/],
]

for (const [text, title, expected] of snippets)
  test(`the snippet of “${text}” is plain text as it is written, with its words marked`, async () => {
    const { items } = await query({ query: text })
    const item = items.find((one: { title: string }) => one.title === title)
    assert.match(marked(item), expected)
  })

const spellings: readonly (readonly [query: string, meant: string | null])[] = [
  ['lighthuose', 'lighthouse'],
  ['lihgthouse keper', 'lighthouse keeper'],
  ['"opning hours"', '"opening hours"'],
  ['strase', 'straße'],
  ['ferrry', 'ferry'],
  ['ferery', 'ferry'],
  ['frery', 'ferry'],
  ['obsevratori', 'observatory'],
  ['lighthouse', null],
  ['xylophone', null],
]

for (const [text, meant] of spellings)
  test(`“${text}”: did you mean ${meant ?? 'nothing else'}`, async () => {
    assert.equal((await query({ query: text })).did_you_mean, meant)
  })

test('attack 89: nobody finds the words of a draft, in results, spellings or similar entries', async () => {
  assert.deepEqual(await titles('lighthouse', {}, nobody), ['Lighthouse keeper', 'Steps'])
  for (const text of ['submarine', 'submarin', 'zeppelni', '"so is the zeppelin"']) {
    const seen = await query({ query: text }, nobody)
    assert.deepEqual([seen.items, seen.did_you_mean], [[], null], text)
  }
  assert.equal((await query({ query: 'submarin' })).did_you_mean, 'submarine')
  const { items } = await site.ok('SVC_Search.similar', { text: 'a secret submarine, a zeppelin' }, nobody)
  assert.deepEqual(items, [])
  const { item } = await site.ok('list', { where: { status: 'draft' } }).then((list) => ({ item: list.items[0] }))
  assert.equal((await site.fails('SVC_Search.similar', { id: item.id }, nobody)).code, 'not_found')
  assert.equal(
    (await site.fails('SVC_Search.query', { query: 'a', where: { status: 'draft', nothing: 1 } }, nobody)).code,
    'invalid',
  )
  assert.deepEqual(await titles('lighthouse', { where: { status: 'draft' } }, nobody), [])
})

test('attack 89: an entry that is unpublished takes its words with it, in spellings too', async () => {
  const { item } = await site.ok('create', {
    type: 'post',
    title: 'Carousel',
    body: 'An orchestrion plays.',
    status: 'published',
  })
  assert.equal((await query({ query: 'orchestrian' }, nobody)).did_you_mean, 'orchestrion')
  await site.ok('unpublish', { id: item.id })
  assert.equal((await query({ query: 'orchestrian' }, nobody)).did_you_mean, null)
  await site.ok('delete', { ids: [item.id] })
  assert.equal((await query({ query: 'orchestrian' })).did_you_mean, null)
})

test('attack 92: whatever is looked for is looked for as words', async () => {
  const hostile = [
    '"',
    '""',
    '"""',
    'a-b',
    'NEAR(',
    'NEAR(a b)',
    'title:x',
    'title:zzz',
    '*',
    'a*',
    '-',
    '^a',
    'AND',
    'OR NOT',
    "'",
    "' or 1=1 --",
  ]
  const more = [
    '\0',
    'a\0b',
    '\ud800',
    '(',
    '{title}:',
    '!nets | &',
    '\\',
    '%',
    '<->',
    '🙂',
    'x'.repeat(10_000),
    '" '.repeat(5000),
    'word '.repeat(2000),
  ]
  for (const text of [...hostile, ...more])
    for (const typing of [false, true]) assert.ok(Array.isArray((await query({ query: text, typing }, nobody)).items), text)
  assert.deepEqual(await titles('title:x'), ['State'])
  assert.deepEqual(await titles('title:keeper'), [])
  assert.equal((await site.fails('SVC_Search.query', { query: 'x'.repeat(20_001) })).code, 'invalid')
})

test('pages of a search have each entry once, and a cursor belongs to its query', async () => {
  const first = await query({ query: 'lighthouse', limit: 2 })
  assert.deepEqual([first.items.length, first.items[0].score, first.searched], [2, 1, { behind: 0, capped: false }])
  const second = await query({ query: 'lighthouse', limit: 2, cursor: first.next_cursor })
  assert.deepEqual([second.items.length, second.next_cursor, second.did_you_mean], [1, null, null])
  assert.equal(new Set([...first.items, ...second.items].map(({ id }: { id: string }) => id)).size, 3)
  assert.equal((await site.fails('SVC_Search.query', { query: 'keeper', limit: 2, cursor: first.next_cursor })).field, 'cursor')
  assert.match(first.items[0].url, /^https:\/\/example\.org\//)
})

test('similar entries have the telling words of an entry or a text, and not the entry itself', async () => {
  const { items } = await site.ok('SVC_Search.similar', { text: 'When are the opening hours of the harbour office?' })
  assert.equal(items[0].title, 'Harbour office')
  const [keeper] = (await query({ query: 'keeper' })).items
  const like = await site.ok('SVC_Search.similar', { id: keeper.id, limit: 2 })
  assert.ok(like.items.length > 0 && like.items.length <= 2)
  assert.ok(like.items.every(({ id }: { id: string }) => id !== keeper.id))
  for (const input of [{}, { id: keeper.id, text: 'both' }])
    assert.equal((await site.fails('SVC_Search.similar', input)).code, 'invalid')
  assert.deepEqual((await site.ok('SVC_Search.similar', { text: '*** ???' })).items, [])
})

test('reindex puts back what the index has lost, and takes out what is gone', async () => {
  const { store } = site.services
  const isSqlite = store.engine === 'SQLite'
  const before = await titles('lighthouse')
  await site.services.search.run()
  await sql
    .raw(isSqlite ? "insert into entry_search (entry_search) values ('delete-all')" : 'delete from entry_search')
    .execute(store.write)
  await sql`delete from entry_search_term`.execute(store.write)
  assert.deepEqual(await titles('lighthouse'), [])
  const dry = await site.ok('SVC_Search.reindex', { dry_run: true })
  assert.deepEqual([dry.indexed, await titles('lighthouse')], [0, []])
  const { indexed } = await site.ok('SVC_Search.reindex', {})
  assert.ok(indexed >= entries.length)
  assert.deepEqual(await titles('lighthouse'), before)
  assert.equal((await query({ query: 'lighthuose' })).did_you_mean, 'lighthouse')
})

test('words that no entry has any more leave the table of words', async () => {
  const { store, search } = site.services
  const { item } = await site.ok('create', { type: 'post', title: 'Gone', body: 'Marzipan.' })
  const has = async () =>
    (await sql`select 1 from entry_search_term where term = 'marzipan' limit 1`.execute(store.read)).rows.length > 0
  await search.run()
  assert.equal(await has(), true)
  await site.ok('update', { id: item.id, body: 'Nougat.' })
  for (let runs = 0; runs < 20 && (await has()); runs++) await search.run()
  assert.equal(await has(), false)
  assert.equal((await query({ query: 'nuogat' })).did_you_mean, 'nougat')
})
