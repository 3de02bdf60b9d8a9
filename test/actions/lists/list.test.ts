import assert from 'node:assert/strict'
import test from 'node:test'
import { fc } from '../../properties.ts'
import { Type } from 'typebox'
import { maxAnswerBytes } from '../../../src/actions/call/answer.ts'
import {
  listAnswer,
  type ListInput,
  listOutput,
  listProperties,
  type ListQuery,
  listRows,
} from '../../../src/actions/lists/list.ts'
import { fits, checkAgainst } from '../../../src/actions/call/validate.ts'
import { Failure } from '../../../src/base/failure.ts'
import type { EntryRow } from '../../../src/store/core/schema.ts'
import { entries, type ListSite, openListSite } from '../list-site.ts'

const ids = async (site: ListSite, input: ListInput): Promise<string> =>
  (await listRows(site.context, entries, { sort: 'id', limit: 100, ...input })).rows.map((row) => row.id).join(' ')

const invalid = (field: string) => (error: unknown) =>
  error instanceof Failure && error.code === 'invalid' && error.detail.field === field

const day = (text: string): number => Date.parse(text)

const rows: readonly Partial<EntryRow>[] = [
  { id: 'a', title: 'Über 100% Äpfel', status: 'draft', position: 1, revision: 1 },
  {
    id: 'b',
    title: 'under_score',
    excerpt: 'x',
    status: 'published',
    published_at: day('2026-03-01T12:00Z'),
    position: 2,
    parent_id: 'p1',
    revision: 0,
  },
  {
    id: 'c',
    title: 'back\\slash',
    excerpt: 'X',
    status: 'published',
    published_at: day('2026-03-02T22:30Z'),
    position: 3,
    revision: 0,
  },
  {
    id: 'd',
    title: 'underXscore',
    body: 'ΣΟΦΙΑ Привет',
    status: 'trash',
    published_at: day('2026-03-02T23:30Z'),
    position: -4,
    revision: 1,
  },
]

const wheres: readonly (readonly [rule: string, where: Record<string, unknown>, found: string])[] = [
  ['no condition means all', {}, 'a b c d'],
  ['a bare value is eq', { status: 'draft' }, 'a'],
  ['keys are anded', { status: 'published', position: 3 }, 'c'],
  ['operators of one field are anded', { position: { gt: 1, lt: 3 } }, 'b'],
  ['any is ored, beside the rest', { position: { gt: 0 }, any: [{ status: 'draft' }, { title: 'back\\slash' }] }, 'a c'],
  ['an any may hold another', { any: [{ any: [{ id: 'a' }, { id: 'b' }] }, { id: 'd' }] }, 'a b d'],
  ['ne includes what has no value', { excerpt: { ne: 'x' } }, 'a c d'],
  ['not_in includes what has no value', { excerpt: { not_in: ['x', 'X'] } }, 'a d'],
  ['in takes a list', { id: { in: ['a', 'd', 'zz'] } }, 'a d'],
  ['null is no value', { excerpt: null }, 'a d'],
  ['ne null is any value', { excerpt: { ne: null } }, 'b c'],
  ['exists asks for a value', { excerpt: { exists: true } }, 'b c'],
  ['exists false asks for none', { excerpt: { exists: false } }, 'a d'],
  ['has looks inside, whatever the case', { title: { has: 'UNDER' } }, 'b d'],
  ['has looks into a body, whatever the case', { body: { has: 'σοφια ПРИВЕТ' } }, 'd'],
  ['a date may be counted back from now', { published_at: { gte: '-1mo' } }, 'b c d'],
  ['relative days keep the time of day in the site’s zone', { published_at: { gt: '-29d' } }, 'c d'],
  ['has folds letters beyond ASCII', { title: { has: 'ÄPFEL' } }, 'a'],
  ['has folds them the other way', { title: { has: 'über' } }, 'a'],
  ['a per cent sign is itself', { title: { has: '%' } }, 'a'],
  ['an underscore is itself', { title: { has: '_' } }, 'b'],
  ['a backslash is itself', { title: { has: '\\' } }, 'c'],
  ['a quote is bound, not written', { title: { has: "' or 1=1 --" } }, ''],
  ['a bare date in gte is its start in the site’s zone', { published_at: { gte: '2026-03-03' } }, 'd'],
  ['a bare date in lt is its start', { published_at: { lt: '2026-03-03' } }, 'b c'],
  ['a bare date in lte is its end', { published_at: { lte: '2026-03-02' } }, 'b c'],
  ['a bare date in gt is its end', { published_at: { gt: '2026-03-01' } }, 'c d'],
  ['a time with an offset is exact', { published_at: '2026-03-01T13:00+01:00' }, 'b'],
  ['true is stored as 1', { noindex: true }, 'a d'],
  ['a name is resolved', { parent: '/here' }, 'b'],
  ['a name that nothing has finds nothing', { parent: '/nowhere' }, ''],
  ['a name that nothing has is no other than all', { parent: { ne: '/nowhere' } }, 'a b c d'],
  ['no parent is null', { parent: null }, 'a c d'],
]

test('where', async (t) => {
  await using site = await openListSite()
  await site.put(rows)
  for (const [rule, where, found] of wheres) await t.test(rule, async () => assert.equal(await ids(site, { where }), found))
})

const manyConditions = { any: Array.from({ length: 51 }, () => ({ id: 'a' })) }

const refusedWheres: readonly (readonly [rule: string, where: Record<string, unknown>, field: string])[] = [
  ['attack 90: a column that is no field', { password_hash: 'x' }, 'where.password_hash'],
  ['attack 90: a field that can’t be filtered', { slug: 'x' }, 'where.slug'],
  ['attack 91: a quote in a field’s name', { 'title" or 1=1 --': 'x' }, 'where.title" or 1=1 --'],
  ['attack 91: a JSON path as a field', { 'seo->$.x': 'x' }, 'where.seo->$.x'],
  ['attack 93: a foreign choice', { status: 'Draft' }, 'where.status'],
  ['attack 93: a foreign choice in a list', { status: { in: ['draft', 'x'] } }, 'where.status.in.1'],
  ['attack 93: a number beyond 2^53', { position: JSON.parse('9007199254740993') as number }, 'where.position'],
  ['a prototype’s member is no field', { constructor: 'x' }, 'where.constructor'],
  ['a prototype’s member is no operator', { title: { toString: 'x' } }, 'where.title'],
  ['an operator of another kind', { status: { lt: 'draft' } }, 'where.status'],
  ['has of a number', { position: { has: '1' } }, 'where.position'],
  ['a number as a text', { title: 1 }, 'where.title'],
  ['a text as a number', { position: '1' }, 'where.position'],
  ['a NUL', { title: 'a\0b' }, 'where.title'],
  ['a lone surrogate', { title: { has: '\ud800' } }, 'where.title.has'],
  ['a text that is too long', { title: 'x'.repeat(1001) }, 'where.title'],
  ['a relative date without a unit', { published_at: { gte: '-7' } }, 'where.published_at.gte'],
  ['a relative date beyond the year 1000', { published_at: { gte: '-9999y' } }, 'where.published_at.gte'],
  ['a date that isn’t one', { published_at: { gte: 'yesterday' } }, 'where.published_at.gte'],
  ['a time as a number', { published_at: 0 }, 'where.published_at'],
  ['an empty list', { id: { in: [] } }, 'where.id.in'],
  ['a list as a value', { id: ['a'] }, 'where.id'],
  ['no operator at all', { id: {} }, 'where.id'],
  ['exists of anything but truth', { excerpt: { exists: 1 } }, 'where.excerpt.exists'],
  ['an any that is no list', { any: { id: 'a' } }, 'where.any'],
  ['an any of something else', { any: ['a'] }, 'where.any.0'],
  ['more than 50 conditions', manyConditions, 'where.any'],
  ['too deep a nesting', { any: [{ any: [{ any: [{ id: 'a' }] }] }] }, 'where.any.0.any.0.any'],
]

test('what a where may not be is invalid, at its field', async (t) => {
  await using site = await openListSite()
  for (const [rule, where, field] of refusedWheres) await t.test(rule, () => assert.rejects(ids(site, { where }), invalid(field)))
})

test('a wrong field names those there are, the nearest first', async () => {
  await using site = await openListSite()
  const failure = await ids(site, { where: { titl: 'x' } }).catch((error: unknown) => error)
  assert.ok(failure instanceof Failure)
  assert.match(failure.message, /filtered by "titl"\. Did you mean "title"/)
  assert.deepEqual((failure.detail.expected as string[]).slice(0, 2), ['title', 'id'])
  assert.ok(!(failure.detail.expected as string[]).includes('slug'))
})

test('attack 91: sort takes a field and nothing else', async () => {
  await using site = await openListSite()
  for (const sort of [
    '',
    '-',
    '--id',
    'id desc, title',
    'id descending',
    'id desc; drop table entry',
    'body desc',
    '__proto__ desc',
    '-id desc',
    'id"',
    'body',
    'parent',
    'password_hash',
    'created_at,id',
    '__proto__',
  ]) {
    await assert.rejects(ids(site, { sort }), invalid('sort'), sort)
  }
})

test('a sort in the words of SQL is the sort with a sign', async () => {
  await using site = await openListSite()
  for (const [words, plain] of [
    ['title desc', '-title'],
    ['title:DESC', '-title'],
    [' title asc', 'title'],
  ] as const)
    assert.deepEqual(await ids(site, { sort: words }), await ids(site, { sort: plain }), words)
})

const searches: readonly (readonly [rule: string, search: string, found: string])[] = [
  ['every word must occur', 'under score', 'b'],
  ['in one column or another', 'underxscore привет', 'd'],
  ['a part of a word is not found', 'underx', ''],
  ['accents don’t matter', 'σοφία', 'd'],
  ['nor those that the text has', 'apfel', 'a'],
  ['case folds', 'σοφια', 'd'],
  ['signs are left out', '100% \0', 'a'],
  ['a word with a sign in it is a phrase', 'under_score', 'b'],
  ['quotes and brackets do no harm', '"\' OR ( * NEAR', ''],
  ['blanks alone are no search', ' \n ', 'a b c d'],
]

test('search', async (t) => {
  await using site = await openListSite()
  await site.put(rows)
  for (const [rule, search, found] of searches) await t.test(rule, async () => assert.equal(await ids(site, { search }), found))
  await assert.rejects(ids(site, { search: 'a '.repeat(11) }), invalid('search'))
  await assert.rejects(ids(site, { search: 'a'.repeat(201) }), invalid('search'))
  const alphabet = 'абвгдежзийклмнопрстуфхцчшщъыьэюяαβγδεζηθικλμνξοπρστυφχψωàáâãäåæçèéêëìíîï'
  assert.equal(await ids(site, { search: alphabet }), '')
})

test('attack 135: the text that one where reads is bounded, and search is the way beyond', async () => {
  await using site = await openListSite()
  const body = `${'ж'.repeat(1_100_000)} слово`
  await site.put(Array.from({ length: 10 }, (_, i) => ({ id: `e${i}`, body })))
  const looks = (count: number) => ({ any: Array.from({ length: count }, () => ({ body: { has: 'ЖЖ!' } })) })
  assert.equal(await ids(site, { where: looks(2) }), '')
  await assert.rejects(
    ids(site, { where: looks(24) }),
    (error) => error instanceof Failure && error.code === 'refused' && /`search`/.test(error.detail.hint ?? ''),
  )
  assert.equal(await ids(site, { search: 'СЛОВО' }), 'e0 e1 e2 e3 e4 e5 e6 e7 e8 e9')
  const names = { any: Array.from({ length: 25 }, () => ({ title: { has: 'é'.repeat(48) } })) }
  assert.equal(await ids(site, { where: names }), '')
})

for (const [field, how] of [
  ['title', 'kept folded'],
  ['excerpt', 'as it stands'],
] as const) {
  test(`case folds letter by letter, as JavaScript does, in a text that is ${how}`, async () => {
    await using site = await openListSite()
    const letters = fc.string({ unit: fc.constantFrom(...'aZ%_*?[]^-\\äÖßéΣжЯİı '), minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(letters, letters, async (before, part) => {
        await site.put([{ id: 'a', [field]: before + part }])
        assert.equal(await ids(site, { where: { [field]: { has: part } } }), 'a')
        const upper = [...part]
          .map((c) => ([...c.toUpperCase()].length === 1 && c.toUpperCase().toLowerCase() === c ? c.toUpperCase() : c))
          .join('')
        assert.equal(await ids(site, { where: { [field]: { has: upper } } }), 'a')
        const shown = before + part
        const absent = `${part}#`
        assert.equal(await ids(site, { where: { [field]: { has: absent } } }), shown.includes(absent) ? 'a' : '')
      }),
      { numRuns: 60 },
    )
  })
}

const small = fc.integer({ min: -2, max: 2 })
const word = fc.constantFrom('', 'a', 'B', 'ä', '%', '😀')
const someRow = fc.record({
  title: word,
  excerpt: fc.option(word),
  position: small,
  published_at: fc.option(small),
  created_at: small,
  status: fc.constantFrom('draft', 'published'),
})
const someSort = fc
  .tuple(fc.constantFrom('', '-'), fc.constantFrom('id', 'title', 'excerpt', 'position', 'published_at', 'created_at', 'status'))
  .map((parts) => parts.join(''))
const at = (ms: number): string => new Date(ms).toISOString()
const someWhere = fc.constantFrom(
  {},
  { status: 'draft' },
  { position: { gte: 0 } },
  { excerpt: { ne: 'a' } },
  { any: [{ title: 'a' }, { published_at: null }] },
  { published_at: { gte: at(-1), lt: at(2) } },
  { status: 'draft', created_at: { gt: at(-2), lte: at(1) } },
  { created_at: { lt: at(2), lte: at(0), gte: at(-1) }, status: 'published' },
  { status: 'published', title: { gte: 'B', lt: 'ä' } },
  { status: 'draft', id: { gt: 'e0002' } },
)

const byValue = (a: unknown, b: unknown): number => {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? -1 : 1
  return typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

/** All rows by following cursors. */
async function walk(site: ListSite, input: ListInput): Promise<EntryRow[]> {
  const found: EntryRow[] = []
  for (let cursor: string | null = null, turns = 0; turns < 100; turns++) {
    const asked: ListInput = cursor === null ? input : { ...input, cursor }
    const page = await listRows(site.context, entries, asked)
    found.push(...page.rows)
    assert.ok(page.rows.length <= (input.limit ?? 20))
    assert.ok(Object.keys(page.rows[0] ?? {}).every((name) => !name.startsWith('list_')))
    if (!page.more) return found
    cursor = page.cursorAfter(page.rows.length - 1)
  }
  throw new Error('The list has no end.')
}

test('following the cursors yields each row once, in order, whatever where, sort and limit', async () => {
  await using site = await openListSite()
  await fc.assert(
    fc.asyncProperty(
      fc.array(someRow, { maxLength: 25 }),
      someSort,
      someWhere,
      fc.integer({ min: 1, max: 9 }),
      async (filled, sort, where, limit) => {
        await site.put(filled)
        const walked = await walk(site, { sort, where, limit })
        const whole = await listRows(site.context, entries, { sort, where, limit: 100, count: true })
        assert.deepEqual(walked, whole.rows)
        assert.equal(whole.total, walked.length)
        assert.equal(whole.total, (await listRows(site.context, entries, { where, limit: 100 })).rows.length)
        const name = sort.replace('-', '') as keyof EntryRow
        const sign = sort.startsWith('-') ? -1 : 1
        assert.deepEqual(
          walked,
          walked.toSorted((a, b) => sign * (byValue(a[name], b[name]) || byValue(a.id, b.id))),
        )
        assert.equal(new Set(walked.map((row) => row.id)).size, walked.length)
      },
    ),
    { numRuns: 120 },
  )
})

test('rows that come and go between two pages repeat none and hide none of the others', async () => {
  await using site = await openListSite()
  await site.put(Array.from({ length: 6 }, (_, i) => ({ id: `e${i}`, position: i })))
  const first = await listRows(site.context, entries, { sort: 'position', limit: 3 })
  await site.put([0, 3, 4, 5].map((i) => ({ id: `e${i}`, position: i })).concat({ id: 'new', position: -1 }))
  const second = await listRows(site.context, entries, { sort: 'position', limit: 3, cursor: first.cursorAfter(2) })
  assert.deepEqual(
    second.rows.map((row) => row.id),
    ['e3', 'e4', 'e5'],
  )
})

test('attack 93: an edited cursor is invalid', async () => {
  await using site = await openListSite()
  await site.put(Array.from({ length: 3 }, (_, i) => ({ title: `tütle ${i}` })))
  const cursor = (await listRows(site.context, entries, { sort: 'title', limit: 1 })).cursorAfter(0)
  const chars = fc.constantFrom(...'ABCYZabz019-_.=+/ \n\0é')
  const edit = fc.record({ at: fc.nat(cursor.length), drop: fc.nat(2), add: fc.string({ unit: chars, maxLength: 2 }) })
  await fc.assert(
    fc.asyncProperty(edit, async ({ at, drop, add }) => {
      const edited = cursor.slice(0, at) + add + cursor.slice(at + drop)
      fc.pre(edited !== cursor)
      await assert.rejects(listRows(site.context, entries, { sort: 'title', cursor: edited }), invalid('cursor'))
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.string(), (text) =>
      assert.rejects(listRows(site.context, entries, { sort: 'title', cursor: text }), invalid('cursor')),
    ),
  )
})

test('attack 93: a cursor belongs to its list: where, sort, search, other arguments, table and site', async () => {
  await using site = await openListSite()
  await using other = await openListSite('UTC', 'another site')
  await site.put([{}, {}, {}])
  const list = { where: { status: 'draft' }, sort: '-id', type: 'page' }
  const cursor = (await listRows(site.context, entries, { ...list, limit: 1 })).cursorAfter(0)
  const { rows: left } = await listRows(site.context, entries, { ...list, cursor, limit: 50, count: true })
  assert.equal(left.length, 2)
  for (const change of [{ where: {} }, { sort: 'id' }, { search: 'e' }, { type: 'post' }]) {
    await assert.rejects(listRows(site.context, entries, { ...list, ...change, cursor }), invalid('cursor'))
  }
  await assert.rejects(listRows(other.context, entries, { ...list, cursor }), invalid('cursor'))
  await assert.rejects(
    listRows(site.context, { ...entries, table: 'account', key: 'id', search: [] }, { ...list, cursor }),
    invalid('cursor'),
  )
})

test('a default that is written out is the same list', async () => {
  await using site = await openListSite()
  await site.put([{}, {}, {}])
  const cursor = (await listRows(site.context, entries, { limit: 1 })).cursorAfter(0)
  const page = await listRows(site.context, entries, { sort: '-created_at', where: {}, search: '', cursor })
  assert.equal(page.rows.length, 2)
})

test('narrow and columns: a caller finds, counts and reads no more than they say', async () => {
  await using site = await openListSite()
  await site.put(rows)
  const narrow = {
    columns: ['id', 'title'] as const,
    narrow: (query: ListQuery<'entry'>) => query.where('entry.status', '=', 'published'),
  }
  const page = await listRows(
    site.context,
    entries,
    { sort: 'id', count: true, where: { any: [{ id: 'a' }, { id: 'b' }] } },
    narrow,
  )
  assert.deepEqual(page.rows, [{ id: 'b', title: 'under_score' }])
  assert.equal(page.total, 1)
  assert.equal(page.more, false)
})

test('attack 93: the schema holds limit, and knows no other arguments', () => {
  const input = Type.Object(listProperties(entries), { additionalProperties: false })
  checkAgainst(input, {})
  checkAgainst(input, { where: { status: 'draft' }, search: 'x', sort: '-title', limit: 100, count: true })
  for (const limit of [0, 101, 1e9, 1.5, '5']) assert.throws(() => checkAgainst(input, { limit }), invalid('limit'))
  assert.throws(() => checkAgainst(input, { where: [] }), invalid('where'))
  assert.throws(() => checkAgainst(input, { page: 2 }), invalid('page'))
  assert.match(JSON.stringify(input.properties.where), /Fields: id, title, .*parent\."/)
  assert.match(JSON.stringify(input.properties.sort), /slug\. Default `-created_at`/)
})

test('an answer ends early with its cursor before 80 KB, and nothing is lost', async () => {
  await using site = await openListSite()
  await site.put(Array.from({ length: 30 }, () => ({ body: 'é"\\'.repeat(2000) })))
  const output = listOutput(Type.Object({ id: Type.String(), body: Type.String() }))
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const input: ListInput = { limit: 100, count: true, ...(cursor === null ? {} : { cursor }) }
    const page = await listRows(site.context, entries, input)
    const answer: Awaited<ReturnType<typeof listAnswer<EntryRow, { id: string; body: string }>>> = await listAnswer(
      site.context,
      page,
      ({ id, body }) => ({ id, body }),
    )
    assert.ok(fits(output, answer))
    assert.ok(Buffer.byteLength(JSON.stringify(answer)) <= maxAnswerBytes)
    assert.ok(answer.items.length > 1)
    assert.equal(answer.total, 30)
    seen.push(...answer.items.map((item) => item.id))
    cursor = answer.next_cursor
  } while (cursor !== null)
  assert.equal(seen.length, 30)
  assert.equal(new Set(seen).size, 30)
})

test('an answer is measured as selected, and an item too long by itself still comes', async () => {
  await using site = await openListSite()
  await site.put(Array.from({ length: 3 }, () => ({ body: 'x'.repeat(90_000) })))
  const page = await listRows(site.context, entries, {})
  const toItem = ({ id, body }: EntryRow) => ({ id, body })
  assert.equal((await listAnswer(site.context, page, toItem)).items.length, 1)
  assert.equal((await listAnswer({ ...site.context, select: ['id'] }, page, toItem)).items.length, 3)
  await site.put([])
  assert.deepEqual(await listAnswer(site.context, await listRows(site.context, entries, { count: true }), toItem), {
    items: [],
    next_cursor: null,
    total: 0,
  })
})
