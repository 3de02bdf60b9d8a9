// SVC_Types and the fields of entries: definitions, values of each kind, filters and sorts, paths, undo, and what other processes see.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { forgetDropped } from '../../src/actions/types/dropped-fields.ts'
import { entryMarkdown } from '../../src/site/pages/public-page.ts'
import { kinds } from '../../src/store/change/kinds.ts'
import { until } from '../until.ts'
import { type ContentSite, nobody, openContentSite, tokenOf } from './content-site.ts'

let site: ContentSite
before(async () => void (site = await openContentSite()))
after(() => site[Symbol.asyncDispose]())

type Values = Readonly<Record<string, unknown>>
const makeType = (slug: string, fields: readonly Values[], more: Values = {}) =>
  site.ok('SVC_Types.create', { slug, name: slug, fields, ...more })
const titlesOf = async (input: Values, as = tokenOf('admin')) =>
  (await site.ok('list', { ...input }, as)).items.map(({ title }: { title: string }) => title)
const fieldsOf = async (id: string) => (await site.ok('get', { id, select: ['fields'] })).item.fields as Values

/** All objects, without what counts their writes. */
async function objects(): Promise<unknown> {
  const { read } = site.services.store
  const tables: Record<string, unknown> = {}
  for (const { table, key } of [...Object.values(kinds), { table: 'entry_value', key: 'entry_id' }] as const) {
    const rows = (await read
      .selectFrom(table as 'entry')
      .selectAll()
      .orderBy(key as 'id')
      .execute()) as unknown as Values[]
    tables[table] = rows.map(({ revision: _revision, updated_at: _updated, ...row }) => JSON.stringify(row)).sort()
  }
  return tables
}

test('the schemas of all content actions follow a new type at once, and forget it with its undo', async () => {
  const described = async () => {
    const { items } = await site.ok('SVC_API.describe-action', {
      action: ['create', 'update', 'get', 'list', 'edit'].map((name) => `SVC_Content.${name}`),
      full: true,
    })
    const token = await site.ok('SVC_API.describe-action', { action: 'SVC_Tokens.create', full: true })
    return { items, token }
  }
  const first = await described()
  const made = await makeType('boat', [
    { name: 'sails', kind: 'number', label: 'Number of sails', filter: true },
    { name: 'story', kind: 'markdown' },
  ])
  const { items, token } = await described()
  const [create, update, get, list, edit] = items
  for (const { input } of [create, update, list]) assert.ok(input.properties.type.enum.includes('boat'), JSON.stringify(input))
  for (const { input } of [create, update])
    assert.deepEqual(input.properties.fields.anyOf[0].properties.sails, {
      anyOf: [{ type: 'number' }, { type: 'null' }],
      description: 'boat: Number of sails',
    })
  assert.ok(get.output.properties.item.properties.fields.properties.sails)
  assert.ok(get.output.properties.item.properties.type.enum.includes('boat'))
  assert.match(list.input.properties.where.description, /Fields of types: fields\.sails\./)
  assert.match(list.input.properties.sort.description, /fields\.sails/)
  assert.ok(edit.input.properties.edits.items.properties.field.enum.includes('fields.story'))
  assert.ok(!edit.input.properties.edits.items.properties.field.enum.includes('fields.sails'))
  assert.ok(token.input.properties.limits.properties.types.items.enum.includes('boat'))
  assert.ok(!JSON.stringify(items).includes('x-follows'))
  await site.ok('SVC_Activity.undo', { ids: [made.activity_id] })
  assert.deepEqual(await described(), first)
})

/** What a definition of one field must not be, and the member that the failure names. */
const hostile: readonly (readonly [what: string, fields: unknown, at: string, code?: string])[] = [
  ['a thousand fields', Array.from({ length: 1000 }, (_, i) => ({ name: `f${i}`, kind: 'text' })), 'fields'],
  ['the name __proto__', [{ name: '__proto__', kind: 'text' }], 'fields.0.name'],
  ['the name constructor', [{ name: 'constructor', kind: 'text' }], 'fields.0.name'],
  ['a name with a dot', [{ name: 'a.b', kind: 'text' }], 'fields.0.name'],
  ['a name in capitals', [{ name: 'Price', kind: 'text' }], 'fields.0.name'],
  [
    'a name twice',
    [
      { name: 'a', kind: 'text' },
      { name: 'a', kind: 'number' },
    ],
    'fields.1.name',
  ],
  ['an unknown kind', [{ name: 'a', kind: 'script' }], 'fields.0.kind'],
  ['an unknown member', [{ name: 'a', kind: 'text', secret: true }], 'fields.0.secret'],
  ['a choice without options', [{ name: 'a', kind: 'choice' }], 'fields.0.options'],
  ['options of a number', [{ name: 'a', kind: 'number', options: ['1'] }], 'fields.0.options'],
  ['an option twice', [{ name: 'a', kind: 'choice', options: ['x', 'x'] }], 'fields.0.options'],
  ['too many options', [{ name: 'a', kind: 'choice', options: Array.from({ length: 101 }, String) }], 'fields.0.options'],
  [
    'huge options',
    Array.from({ length: 9 }, (_, i) => ({
      name: `f${i}`,
      kind: 'choice',
      options: Array.from({ length: 100 }, (_none, j) => `${j}${'x'.repeat(90)}`),
    })),
    'fields',
    'too_large',
  ],
  ['a group without fields', [{ name: 'a', kind: 'group' }], 'fields.0.of'],
  [
    'a group within a group',
    [{ name: 'a', kind: 'group', of: [{ name: 'b', kind: 'group', of: [{ name: 'c', kind: 'text' }] }] }],
    'fields.0.of',
  ],
  [
    'two fields of a group with one name',
    [
      {
        name: 'a',
        kind: 'group',
        of: [
          { name: 'b', kind: 'text' },
          { name: 'b', kind: 'text' },
        ],
      },
    ],
    'fields.0.of.1.name',
  ],
  ['a term without its taxonomy', [{ name: 'a', kind: 'term' }], 'fields.0.of'],
  ['`of` for a text', [{ name: 'a', kind: 'text', of: 'page' }], 'fields.0.of'],
  ['a filter by Markdown', [{ name: 'a', kind: 'markdown', filter: true }], 'fields.0.filter'],
  ['a filter by a list', [{ name: 'a', kind: 'number', many: true, filter: true }], 'fields.0.filter'],
  ['a default of the wrong kind', [{ name: 'a', kind: 'number', default: 'x' }], 'fields.0.default'],
  ['NUL in a label', [{ name: 'a', kind: 'text', label: 'a\0' }], 'fields.0.label'],
]
for (const [what, fields, at, code = 'invalid'] of hostile)
  test(`a definition with ${what} is ${code}, and names ${at}`, async () => {
    const failure = await site.fails('SVC_Types.create', { slug: 'hostile', name: 'Hostile', fields })
    assert.equal(failure.code, code, failure.message)
    assert.ok(String(failure.field) === at || String(failure.field).startsWith(`${at}.`), `${failure.field}: ${failure.message}`)
    await site.fails('SVC_Types.get', { id: 'hostile' })
  })

test('a field may be named like a field of all entries, and is another one', async () => {
  await makeType('double', [
    { name: 'title', kind: 'text', filter: true },
    { name: 'id', kind: 'number' },
  ])
  const { item } = await site.ok('create', { type: 'double', title: 'Outer', fields: { title: 'Inner', id: 5 } })
  assert.deepEqual(await fieldsOf(item.id), { title: 'Inner', id: 5 })
  assert.deepEqual(await titlesOf({ where: { 'fields.title': 'Inner' } }), ['Outer'])
  assert.deepEqual(await titlesOf({ where: { title: 'Inner' } }), [])
})

/** Values of each kind: what is stored of the good ones, and the bad ones. */
const values: readonly {
  readonly field: Values
  readonly good: readonly (readonly [given: unknown, stored?: unknown])[]
  readonly bad: readonly unknown[]
}[] = [
  { field: { kind: 'text' }, good: [['a\nb'], ['']], bad: [1, 'x'.repeat(2001), 'a\0b', ['a']] },
  { field: { kind: 'markdown' }, good: [['# A\n\n<script>']], bad: [1, 'x'.repeat(100_001)] },
  { field: { kind: 'number' }, good: [[1.5], [-3], [0]], bad: ['1', true, 2 ** 53] },
  { field: { kind: 'boolean' }, good: [[true], [false]], bad: [1, 'true'] },
  { field: { kind: 'date' }, good: [['2026-02-28']], bad: ['2026-02-30', '2026-02-28T10:00', 20260228, 'today'] },
  { field: { kind: 'datetime' }, good: [['2026-02-28T10:00+01:00', '2026-02-28T09:00:00.000Z']], bad: ['2026-02-30T10:00', 5] },
  { field: { kind: 'choice', options: ['S', 'M'] }, good: [['S']], bad: ['s', 'L', ['S'], 'toString'] },
  {
    field: { kind: 'choice', options: ['S', 'M'], many: true },
    good: [[['S', 'M']], [[]]],
    bad: ['S', ['S', 'L'], Array(101).fill('S')],
  },
  {
    field: { kind: 'url' },
    good: [['https://example.org/a?b'], ['/about'], ['mailto:a@example.org']],
    bad: ['javascript:alert(1)', '//evil.example', 'a b', ''],
  },
  {
    field: { kind: 'email' },
    good: [['a.b@example.org']],
    bad: ['a', 'a@b', 'A <a@example.org>', `${'a'.repeat(250)}@example.org`],
  },
  { field: { kind: 'entry' }, good: [['/target', 'TARGET']], bad: ['/nowhere', '', 5] },
  { field: { kind: 'entry', of: 'post' }, good: [], bad: ['/target'] },
  { field: { kind: 'media' }, good: [['/media/photo.svg', 'PHOTO']], bad: [5, ''] },
  { field: { kind: 'term', of: 'category' }, good: [['category/news', 'NEWS']], bad: [5, ''] },
  {
    field: { kind: 'json' },
    good: [[{ a: [1, { b: null }] }], [[1]], ['x']],
    bad: ['x'.repeat(20_001), { a: '\0' }, nested(30)],
  },
  {
    field: {
      kind: 'group',
      of: [
        { name: 'at', kind: 'date', required: true },
        { name: 'who', kind: 'text' },
      ],
    },
    good: [[{ at: '2026-01-01', who: 'Ann' }], [{ at: '2026-01-01', who: null }, { at: '2026-01-01' }]],
    bad: [{}, { at: 'x' }, { at: '2026-01-01', other: 1 }, 'x', JSON.parse('{"at": "2026-01-01", "__proto__": 1}')],
  },
  {
    field: { kind: 'group', many: true, of: [{ name: 'q', kind: 'text' }] },
    good: [[[{ q: 'a' }, {}]]],
    bad: [[{ q: 1 }], { q: 'a' }],
  },
]

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)]
}

test('values of each kind are stored as answers show them, and a wrong one is invalid and named', async () => {
  const { item: target } = await site.ok('create', { type: 'page', title: 'Target' })
  const news = await site.ok('SVC_Terms.create', { taxonomy: 'category', name: 'News' })
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="3"/></svg>'
  const photo = await site.ok('SVC_Media.upload', { text: drawing, filename: 'photo.svg', alt: 'A dot' })
  const ids: Readonly<Record<string, string>> = { TARGET: target.id, NEWS: news.item.id, PHOTO: photo.item.id }
  const fields = values.map(({ field }, place) => ({ name: `f${place}`, ...field }))
  await makeType('sample', fields)
  const { item } = await site.ok('create', { type: 'sample', title: 'Sample' })
  for (const [place, { good, bad }] of values.entries()) {
    const name = `f${place}`
    for (const [given, stored = given] of good) {
      await site.ok('update', { id: item.id, fields: { [name]: given } })
      const shown = (await fieldsOf(item.id))[name]
      assert.deepEqual(shown, ids[String(stored)] ?? stored, `${name} ${JSON.stringify(given)}`)
    }
    for (const value of bad) {
      const failure = await site.fails('update', { id: item.id, fields: { [name]: value } })
      const what = `${name} ${JSON.stringify(value)?.slice(0, 50)}: ${failure.message}`
      assert.equal(failure.code, 'invalid', what)
      assert.match(String(failure.field), new RegExp(`^fields\\.${name}(\\.|$)`), what)
    }
    await site.ok('update', { id: item.id, fields: { [name]: null } })
    assert.equal((await fieldsOf(item.id))[name], null)
  }
})

test('an unknown field is invalid, for every content write', async () => {
  await makeType('plain', [{ name: 'note', kind: 'text' }])
  await site.ok('create', { type: 'plain', title: 'Known', fields: { note: 'a' } })
  for (const [call, input] of [
    ['create', { type: 'page', title: 'No', fields: { note: 'x' } }],
    ['update', { id: '/plain/known', fields: { nope: 1 } }],
    ['put', { path: '/plain/known', markdown: '---\nfields:\n  nope: 1\n---\n\n' }],
    ['edit', { id: '/plain/known', edits: [{ field: 'fields.nope', find: 'a', replace: 'b' }] }],
  ] as const) {
    const failure = await site.fails(call, input)
    assert.equal(failure.code, 'invalid', call)
    assert.match(`${failure.field} ${failure.message}`, /fields\.n|edits\.0\.field/, call)
  }
  // JSON may have a member of this name, which no object may take for its prototype.
  const failure = await site.fails('update', { id: '/plain/known', fields: JSON.parse('{"__proto__": {"note": "x"}}') })
  assert.deepEqual([failure.code, failure.field], ['invalid', 'fields.__proto__'])
})

test('a required field is needed to publish, not to draft; a default fills it', async () => {
  await makeType('ticket', [
    { name: 'price', kind: 'number', required: true },
    { name: 'seat', kind: 'text', default: 'free' },
  ])
  const asked = { type: 'ticket', title: 'One', status: 'published' }
  assert.equal((await site.fails('create', asked)).field, 'fields.price')
  assert.equal((await site.fails('create', { ...asked, published_at: '2099-01-01' })).field, 'fields.price')
  const { item } = await site.ok('create', { ...asked, status: 'draft' })
  assert.deepEqual(await fieldsOf(item.id), { price: null, seat: 'free' })
  assert.equal((await site.fails('publish', { id: item.id })).field, 'fields.price')
  await site.ok('update', { id: item.id, fields: { price: 5 } })
  await site.ok('publish', { id: item.id })
  assert.equal((await site.fails('update', { id: item.id, fields: { price: null } })).field, 'fields.price')
  await site.ok('unpublish', { id: item.id })
  await site.ok('update', { id: item.id, fields: { price: null } })
})

test('lists are filtered and sorted by fields with `filter`; entries without a value come last', async () => {
  await makeType('lamp', [
    { name: 'watts', kind: 'number', filter: true },
    { name: 'made', kind: 'date', filter: true },
    { name: 'checked', kind: 'datetime', filter: true },
    { name: 'bulb', kind: 'choice', options: ['E14', 'E27'], filter: true },
    { name: 'dimmed', kind: 'boolean', filter: true },
    { name: 'maker', kind: 'entry', filter: true },
    { name: 'code', kind: 'text', filter: true },
    { name: 'note', kind: 'text' },
  ])
  const { item: maker } = await site.ok('create', { type: 'page', title: 'Maker' })
  const made: readonly (readonly [string, Values])[] = [
    [
      'Low',
      { watts: 5, made: '2026-01-10', checked: '2026-11-20T12:00:00Z', bulb: 'E14', dimmed: true, code: 'Äb-1', maker: '/maker' },
    ],
    ['Half', { watts: 7.5, made: '2026-02-10', bulb: 'E27', dimmed: false, code: 'xy-2' }],
    ['High', { watts: 100, made: '2026-11-20', checked: '2026-11-21T08:00:00Z', code: 'ab-3' }],
    ['None', { note: 'x'.repeat(300) }],
  ]
  for (const [title, fields] of made) await site.ok('create', { type: 'lamp', title, fields, status: 'published' })
  const type = 'lamp'
  const rows: readonly (readonly [where: Values, titles: readonly string[]])[] = [
    [{ 'fields.watts': { gt: 5 } }, ['Half', 'High']],
    [{ 'fields.watts': { gte: 5, lt: 100 } }, ['Low', 'Half']],
    [{ 'fields.watts': { in: [5, 100] } }, ['Low', 'High']],
    [{ 'fields.watts': 7.5 }, ['Half']],
    [{ 'fields.watts': { ne: 5 } }, ['Half', 'High', 'None']],
    [{ 'fields.watts': null }, ['None']],
    [{ 'fields.watts': { exists: true } }, ['Low', 'Half', 'High']],
    [{ 'fields.made': { lte: '2026-02-10' } }, ['Low', 'Half']],
    [{ 'fields.made': { gt: '2026-02-10' } }, ['High']],
    [{ 'fields.made': { gte: '-7d' } }, ['High']],
    [{ 'fields.checked': { gte: '2026-11-21' } }, ['High']],
    [{ 'fields.checked': { lt: '-12h' } }, ['Low']],
    [{ 'fields.bulb': { not_in: ['E14'] } }, ['Half', 'High', 'None']],
    [{ 'fields.dimmed': true }, ['Low']],
    [{ 'fields.maker': '/maker' }, ['Low']],
    [{ 'fields.maker': maker.id }, ['Low']],
    [{ 'fields.maker': '/nobody' }, []],
    [{ 'fields.code': { has: 'B-' } }, ['Low', 'High']],
    [{ any: [{ 'fields.watts': 5 }, { 'fields.bulb': 'E27' }] }, ['Low', 'Half']],
  ]
  for (const as of [tokenOf('admin'), nobody])
    for (const [where, titles] of rows) {
      assert.deepEqual(await titlesOf({ type, where, sort: 'fields.watts' }, as), titles, JSON.stringify(where))
      const { total } = await site.ok('list', { type, where, count: true }, as)
      assert.equal(total, titles.length, JSON.stringify(where))
    }
  assert.deepEqual(await titlesOf({ type, sort: '-fields.watts' }), ['High', 'Half', 'Low', 'None'])
  for (const sort of ['fields.watts', '-fields.code']) {
    const whole = await titlesOf({ sort, limit: 100 })
    const paged: string[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await site.ok('list', { sort, limit: 3, ...(cursor === undefined ? {} : { cursor }) })
      paged.push(...page.items.map(({ title }: { title: string }) => title))
      cursor = page.next_cursor
    }
    assert.deepEqual(paged, whole, sort)
    assert.ok(whole.length > 5 && new Set(whole).size > 4)
  }
  // Without a type, the values are walked.
  const ranges: readonly (readonly [sort: string, range: Values, titles: readonly string[]])[] = [
    ['watts', { gt: 5 }, ['Half', 'High']],
    ['watts', { gte: 5, lt: 100 }, ['Low', 'Half']],
    ['watts', { lt: 100, gt: 1, lte: 8, gte: 5 }, ['Low', 'Half']],
    ['made', { lte: '2026-02-10' }, ['Low', 'Half']],
    ['made', { gt: '2026-01-01', lt: '2026-11-01' }, ['Low', 'Half']],
    ['checked', { gte: '2026-11-20', lte: '2026-11-21T08:00:00Z' }, ['Low', 'High']],
    ['code', { gt: 'a', lt: 'y' }, ['High', 'Half']],
    ['watts', { eq: 7.5 }, ['Half']],
  ]
  for (const [name, range, titles] of ranges)
    for (const direction of ['', '-']) {
      const input = { where: { [`fields.${name}`]: range }, sort: `${direction}fields.${name}`, limit: 1, count: true }
      const first = await site.ok('list', input)
      assert.equal(first.total, titles.length, JSON.stringify(input))
      const paged: string[] = first.items.map(({ title }: { title: string }) => title)
      for (let cursor = first.next_cursor; cursor !== null;) {
        const page = await site.ok('list', { ...input, cursor })
        paged.push(...page.items.map(({ title }: { title: string }) => title))
        cursor = page.next_cursor
      }
      assert.deepEqual(paged, direction === '' ? titles : titles.toReversed(), JSON.stringify(input))
    }
  const { items } = await site.ok('list', {
    where: { title: { in: ['Low', 'Maker'] } },
    sort: 'title',
    select: ['title', 'fields.watts'],
  })
  assert.deepEqual(items, [
    { title: 'Low', fields: { watts: 5 } },
    { title: 'Maker', fields: { watts: null } },
  ])
  for (const [field, use] of [
    ['fields.note', 'where'],
    ['fields.nope', 'where'],
    ['fields.note', 'sort'],
  ] as const) {
    const failure = await site.fails('list', use === 'where' ? { where: { [field]: 'x' } } : { sort: field })
    assert.equal(failure.code, 'invalid')
    assert.ok((failure.expected as string[]).includes('fields.watts'))
  }
  await site.ok('update', { id: '/lamp/low', fields: { watts: 6 } })
  assert.deepEqual(await titlesOf({ where: { 'fields.watts': { in: [5, 6] } } }), ['Low'])
  const clash = await site.fails('SVC_Types.create', {
    slug: 'other',
    name: 'O',
    fields: [{ name: 'watts', kind: 'text', filter: true }],
  })
  assert.equal(clash.code, 'refused')
  assert.match(clash.message, /lamp/)
  const long = await site.fails('update', { id: '/lamp/low', fields: { code: 'x'.repeat(201) } })
  assert.equal(long.field, 'fields.code')
})

test('entries stand at the path of their type; a new path redirects, and a path that is taken is refused', async () => {
  await site.ok('create', { type: 'page', title: 'Garden' })
  for (const [path, sentence] of [
    ['/garden/{slug}', /entry "Garden"/],
    ['/api/{slug}', /service itself/],
    ['/.well-known/{slug}', /pattern/],
    ['/Upper/{slug}', /pattern/],
    ['/tool', /pattern/],
    ['/{slug}/{slug}', /pattern/],
    ['/../{slug}', /pattern/],
  ] as const)
    assert.match((await site.fails('SVC_Types.create', { slug: 'tool', name: 'Tool', path })).message, sentence)
  await makeType('tool', [])
  assert.match((await site.fails('SVC_Types.create', { slug: 'tools', name: 'T', path: '/tool/{slug}' })).message, /type tool/)
  const { item } = await site.ok('create', { type: 'tool', title: 'Rake', status: 'published' })
  assert.equal(item.path, '/tool/rake')
  assert.equal((await site.fails('create', { type: 'page', title: 'X', slug: 'tool' })).rule, 'path of a type')
  assert.equal((await site.ok('create', { type: 'page', title: 'Tool' })).item.path, '/tool-2')
  assert.equal((await site.fails('update', { id: item.id, parent: '/garden' })).field, 'parent')
  const moved = await site.ok('SVC_Types.update', { id: 'tool', path: '/shop/{type}/{slug}' })
  assert.equal(moved.affected, 1)
  assert.equal((await site.ok('get', { id: '/tool/rake' })).moved_to, '/shop/tool/rake')
  await site.ok('SVC_Activity.undo', { ids: [moved.activity_id] })
  assert.equal((await site.ok('get', { id: item.id })).item.path, '/tool/rake')
  const written = await site.ok('put', { path: '/tool/spade', markdown: '---\ntitle: Spade\n---\n\n' })
  assert.equal(written.item.type, 'tool')
  assert.equal((await site.fails('SVC_Types.update', { id: 'page', path: '/p/{slug}' })).code, 'refused')
})

test('put, edit and revert carry fields, and the same file twice changes nothing', async () => {
  await makeType('book', [
    { name: 'isbn', kind: 'text', required: true },
    { name: 'out', kind: 'date' },
    { name: 'blurb', kind: 'markdown' },
  ])
  const markdown =
    '---\ntitle: Walden\ntype: book\nfields:\n  isbn: "123"\n  out: 1854-08-09\n  blurb: Life in the woods.\n---\n\nText.\n'
  await site.ok('put', { path: '/book/walden', markdown })
  const again = await site.ok('put', { path: '/book/walden', markdown })
  assert.deepEqual(again.changed, [])
  const rows = site.services.store.read.selectFrom('entry').selectAll()
  const walden = await rows.where('path', '=', '/book/walden').executeTakeFirstOrThrow()
  const { body } = await entryMarkdown({ site: site.services, origin: 'https://example.org' }, walden)
  const shown = body && 'bytes' in body ? Buffer.from(body.bytes).toString() : ''
  assert.match(shown, /\nfields:\n {2}isbn: "123"\n {2}out: 1854-08-09\n {2}blurb: Life in the woods\.\n/)
  const edited = await site.ok('edit', {
    id: '/book/walden',
    edits: [{ field: 'fields.blurb', find: 'woods', replace: 'forest' }, { append: 'More.' }],
  })
  assert.deepEqual(edited.changed.toSorted(), ['body', 'fields'])
  assert.deepEqual(await fieldsOf('/book/walden'), { isbn: '123', out: '1854-08-09', blurb: 'Life in the forest.' })
  assert.equal(
    (await site.fails('edit', { id: '/book/walden', edits: [{ field: 'fields.out', find: '1', replace: '2' }] })).field,
    'edits.0.field',
  )
  await site.ok('revert', { id: '/book/walden', revision: 1 })
  assert.equal((await fieldsOf('/book/walden'))['blurb'], 'Life in the woods.')
  await site.ok('SVC_Types.update', {
    id: 'book',
    fields: [
      { name: 'isbn', kind: 'text' },
      { name: 'blurb', kind: 'markdown' },
    ],
  })
  await site.ok('update', { id: '/book/walden', fields: { isbn: null } })
  assert.deepEqual(await fieldsOf('/book/walden'), { isbn: null, blurb: 'Life in the woods.' })
  const { activity_id: id } = await site.ok('revert', { id: '/book/walden', revision: 1 })
  assert.equal((await fieldsOf('/book/walden'))['isbn'], '123')
  await site.ok('SVC_Activity.undo', { ids: [id] })
  assert.equal((await fieldsOf('/book/walden'))['isbn'], null)
})

test('a removed field comes back with its values for 30 days; then they are gone for good', async () => {
  const note = { name: 'memo', kind: 'text' }
  const size = { name: 'size', kind: 'number' }
  await makeType('coat', [note, size])
  await site.ok('create', { type: 'coat', title: 'Warm', fields: { memo: 'keep', size: 5 } })
  const remove = () => site.ok('SVC_Types.update', { id: 'coat', fields: [size] })
  await remove()
  assert.deepEqual(await fieldsOf('/coat/warm'), { size: 5 })
  await site.ok('update', { id: '/coat/warm', fields: { size: 6 } })
  await site.ok('update', { id: '/coat/warm', fields: null })
  const { dropped } = (await site.ok('SVC_Types.get', { id: 'coat' })).item
  assert.deepEqual(dropped, [{ name: 'memo', until: '2026-12-21T09:00:00.000Z' }])
  await site.ok('SVC_Types.update', { id: 'coat', fields: [note, size] })
  assert.deepEqual(await fieldsOf('/coat/warm'), { memo: 'keep', size: null })
  await remove()
  assert.equal(await forgetDropped(site.services), 0)
  const began = site.clock.at
  site.clock.at += 31 * 86_400_000
  assert.ok((await forgetDropped(site.services)) >= 1)
  site.clock.at = began
  await site.ok('SVC_Types.update', { id: 'coat', fields: [note, size] })
  assert.deepEqual(await fieldsOf('/coat/warm'), { memo: null, size: null })
})

test('`where` knows the types and their fields in every action that has it', async () => {
  await makeType('boot', [{ name: 'size', kind: 'number', filter: true }])
  await site.ok('create', { type: 'boot', title: 'Rubber boot', status: 'published', fields: { size: 40 } })
  const other = (await site.ok('create', { type: 'boot', title: 'Rubber boot, large', fields: { size: 46 } })).item
  const where = { type: 'boot', 'fields.size': { gte: 45 } }
  assert.deepEqual(await titlesOf({ where }), ['Rubber boot, large'])
  // On a busy machine a search answers before the index has all entries.
  await site.services.search.run()
  const found = await site.ok('SVC_Search.query', { query: 'rubber', where })
  assert.deepEqual(
    found.items.map(({ id }: { id: string }) => id),
    [other.id],
  )
  assert.equal((await site.ok('update-many', { where, set: { position: 3 }, expect: 1 })).done.length, 1)
  assert.equal((await site.ok('replace-all', { find: 'Rubber', replace: 'Gum', where, expect: 1 })).done.length, 1)
  assert.deepEqual(
    (await site.ok('check', { where })).items.filter(({ id }: { id: string }) => id !== other.id),
    [],
  )
  await site.ok('delete', { ids: [other.id] })
  assert.equal((await site.ok('purge', { where: { ...where, status: 'trash' }, expect: 1, dry_run: true })).done.length, 1)
})

test('renaming moves the values, a new required field needs a default, and a field keeps its kind', async () => {
  await makeType('song', [
    { name: 'len', kind: 'number', filter: true },
    { name: 'key', kind: 'text' },
  ])
  await site.ok('create', { type: 'song', title: 'Tune', fields: { len: 3, key: 'C' } })
  await site.ok('create', { type: 'song', title: 'Hum' })
  const start = await objects()
  const renamed = await site.ok('SVC_Types.update', { id: 'song', rename: { len: 'key', key: 'len' } })
  assert.equal(renamed.affected, 1)
  assert.deepEqual(await fieldsOf('/song/tune'), { key: 3, len: 'C' })
  assert.deepEqual(await titlesOf({ where: { 'fields.key': 3 } }), ['Tune'])
  await site.ok('SVC_Activity.undo', { ids: [renamed.activity_id] })
  assert.deepEqual(await objects(), start)
  const asked = {
    id: 'song',
    fields: [
      { name: 'len', kind: 'number', filter: true },
      { name: 'key', kind: 'text', required: true },
    ],
  }
  assert.equal((await site.fails('SVC_Types.update', asked)).field, 'fields.1.default')
  const given = { ...asked, fields: [asked.fields[0], { ...asked.fields[1], default: 'A' }] }
  const tried = await site.ok('SVC_Types.update', { ...given, dry_run: true })
  assert.ok(tried.diff.length > 0)
  assert.deepEqual(await objects(), start)
  assert.equal((await site.ok('SVC_Types.update', given)).affected, 1)
  assert.equal((await fieldsOf('/song/hum'))['key'], 'A')
  for (const [input, code] of [
    [{ fields: [{ name: 'len', kind: 'text' }] }, 'refused'],
    [{ rename: { nope: 'x' } }, 'invalid'],
    [{ rename: { len: 'key' } }, 'exists'],
    [{ rename: JSON.parse('{"__proto__": "x"}') }, 'invalid'],
  ] as const)
    assert.equal((await site.fails('SVC_Types.update', { id: 'song', ...input })).code, code, JSON.stringify(input))
})

test('a type with entries is in use; `move_to` gives them another type, and undo brings all of it back', async () => {
  await makeType('tale', [{ name: 'moral', kind: 'text', filter: true }])
  const { item } = await site.ok('create', { type: 'tale', title: 'Fox', fields: { moral: 'sour' }, status: 'published' })
  const { item: gone } = await site.ok('create', { type: 'tale', title: 'Hare' })
  await site.ok('delete', { ids: [gone.id] })
  const used = await site.fails('SVC_Types.delete', { id: 'tale' })
  assert.deepEqual([used.code, used.field, (used['by'] as unknown[]).length], ['in_use', 'move_to', 2])
  assert.equal((await site.fails('SVC_Types.delete', { id: 'tale', move_to: 'nope' })).field, 'move_to')
  assert.equal((await site.fails('SVC_Types.delete', { id: 'page' })).code, 'refused')
  const start = await objects()
  await site.ok('SVC_Types.delete', { id: 'tale', move_to: 'post', dry_run: true })
  assert.deepEqual(await objects(), start)
  const { activity_id: id } = await site.ok('SVC_Types.delete', { id: 'tale', move_to: 'post' })
  assert.deepEqual((await site.ok('get', { id: '/tale/fox' })).moved_to, '/fox')
  assert.deepEqual((await site.ok('get', { id: item.id })).item.fields, {})
  assert.equal((await site.ok('restore', { ids: [gone.id], dry_run: true })).done.length, 1)
  await site.ok('SVC_Activity.undo', { ids: [id] })
  assert.deepEqual(await objects(), start)
  assert.deepEqual(await fieldsOf(item.id), { moral: 'sour' })
})

test('a type is not taken back while it has entries, and no entry comes back whose type is gone', async () => {
  const { activity_id: made } = await makeType('brief', [])
  const { item, activity_id: created } = await site.ok('create', { type: 'brief', title: 'Short' })
  const refused = await site.fails('SVC_Activity.undo', { ids: [made] })
  assert.deepEqual([refused.code, /entries of the type/.test(refused.message)], ['conflict', true])
  const { activity_id: moved } = await site.ok('update', { id: item.id, type: 'post' })
  await site.ok('SVC_Types.delete', { id: 'brief' })
  assert.match((await site.fails('SVC_Activity.undo', { ids: [moved] })).message, /type brief is gone/)
  await site.ok('SVC_Activity.undo', { ids: [created], force: true })
})

test('another process sees a new type by itself', async () => {
  const other = await site.other()
  await makeType('fresh', [{ name: 'one', kind: 'text' }])
  await until('the type is there', () => other.types.current.slugs.includes('fresh'))
  assert.deepEqual(other.types.current.of('fresh').fields, [{ name: 'one', kind: 'text' }])
  const action = other.registry.find('SVC_Content.create')
  assert.ok(JSON.stringify(action?.input).includes('"fresh"'))
})

test('many large types still leave an answer to describe-action, and their values are still checked', async () => {
  await using large = await openContentSite()
  const fields = Array.from({ length: 60 }, (_, i) => ({
    name: `field_${i}`,
    kind: 'choice',
    options: ['a', 'b', 'c', `${i}`],
    help: 'h'.repeat(200),
  }))
  for (const letter of 'abcdef')
    await large.ok('SVC_Types.create', {
      slug: letter,
      name: letter,
      fields: fields.map((one) => ({ ...one, name: `${letter}_${one.name}` })),
    })
  const { input } = await large.ok('SVC_API.describe-action', { action: 'SVC_Content.update', full: true })
  assert.ok(JSON.stringify(input).length < 70_000)
  assert.equal((await large.fails('create', { type: 'a', title: 'A', fields: { a_field_1: 'z' } })).field, 'fields.a_field_1')
  assert.equal((await large.fails('create', { type: 'a', title: 'A', fields: { b_field_1: 'a' } })).field, 'fields.b_field_1')
})

test('types are read from tier read on and changed by admins, and a token for drafts changes none', async () => {
  assert.equal((await site.fails('SVC_Types.list', {}, nobody)).code, 'unknown_action')
  assert.equal((await site.fails('SVC_Types.create', { slug: 'z', name: 'Z' }, tokenOf('content'))).code, 'unknown_action')
  assert.equal(
    (await site.fails('SVC_Types.create', { slug: 'z', name: 'Z' }, tokenOf('admin', { drafts_only: true }))).code,
    'refused',
  )
  const { items } = await site.ok('SVC_Types.list', { where: { slug: { in: ['page', 'post'] } } }, tokenOf('read'))
  assert.deepEqual(
    items.map(({ slug, built_in: builtIn }: Values) => [slug, builtIn]),
    [
      ['page', true],
      ['post', true],
    ],
  )
})
