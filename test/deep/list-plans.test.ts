// How the database reads the lists: each sort and each filter of each list action of the registry, by its query plan. A list joins by itself.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { system } from '../../src/identity/caller.ts'
import { makerOf } from '../../src/identity/link-maker.ts'
import { isDeep } from '../deep-run.ts'
import { usesPostgres } from '../postgres.ts'
import { type ContentSite, nobody, openContentSite, tokenOf } from '../actions/content-site.ts'
import { type Explained, explainQueries, fillTable, listColumns, withoutReferences } from '../actions/query-plans.ts'

/** More than the rows that a list sorts. */
const rowCount = 1100

/** The tables of the lists, with what the columns of all rows hold; the key differs. Other texts are `same`, other numbers 5. */
const tables: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  account: { id: null, email: null, role: 'admin', password_hash: null, slug: null },
  token: { id: null, hash: null, scope: 'admin', limits: '{}', revoked_at: undefined },
  app_grant: { id: null, client_hash: null, scope: 'admin', limits: '{}', revoked_at: undefined, expires_at: 4e12 },
  entry: {
    id: null,
    path: null,
    slug: null,
    type: 'page',
    status: 'published',
    seo: '{}',
    fields: '{}',
    terms: '[]',
    unpublish_at: undefined,
  },
  entry_revision: { entry_id: 'e', revision: null, snapshot: '{}' },
  activity: {
    id: null,
    part_of: undefined,
    tier: 'read',
    door: 'api',
    effect: 'write',
    runs: '[]',
    changes: '[]',
    objects: '[]',
    undone_by: undefined,
  },
  activity_object: { activity_id: null, kind: 'entry', object_id: 'same', path: '/same' },
  theme_revision: { object_id: 'e', revision: null, snapshot: '{}' },
  job: { id: null, name: null, state: 'done', progress: undefined, result: undefined, error: undefined },
  backup: { id: null, file: null },
  skill: { slug: null },
  proposal: {
    id: null,
    tier: 'content',
    calls: '[]',
    diff: '[]',
    expects: '[]',
    changes: '[]',
    proposer: '{"tier":"content","limits":[]}',
    state: 'waiting',
  },
  entry_value: { entry_id: null, name: 'amount' },
  entry_type: { slug: null, fields: '[]', dropped: '[]', taxonomies: '[]', list: '{}' },
  form_submission: { id: null, state: 'done', contents: '{}', files: '[]', expires_at: 4e12 },
  comment: { id: null, state: 'approved', source: 'visitor', parent_id: undefined },
  subscriber: { id: null, email: null, state: 'active' },
  newsletter: { id: null, state: 'done', excluded: '[]' },
  mail: { id: null, state: 'sent', body: '{}' },
  webhook_delivery: { id: null, state: 'sent', body: '{}' },
  import_run: { id: null, state: 'done', options: '{}', progress: '{}', report: '{}', finished_at: undefined },
  term: { id: null, ref: null, taxonomy: 'category', seo: '{}' },
  redirect: { id: null, source: null, origin: 'hand' },
  preview: { id: null, maker: JSON.stringify(makerOf(system)), expires_at: 4e12 },
  missing_path: { path: null, referrer: undefined },
  old_address: { id: null, old: null, kind: 'path', target_kind: 'entry' },
  media: { id: null, path: null, earlier: '[]', protected: 0, held: 0, deleted_at: undefined },
}

/** Tables that stay small. */
const small: ReadonlySet<string> = new Set(['skill', 'entry_type'])

/** Values of which each kind of field takes one. All rows have the first that is taken, and none has the others. */
const common = [
  'same',
  'published',
  'page',
  'api',
  'write',
  'done',
  'admin',
  'waiting',
  'e',
  'hand',
  'approved',
  'visitor',
  'active',
  5,
  true,
  '1970-01-01T00:00:00.005Z',
]
const rare = [
  'trash',
  'webmention',
  'pending',
  'stopped',
  'absent',
  'draft',
  'post',
  'cli',
  'destroy',
  'failed',
  'content',
  'rejected',
  'term',
  77,
  false,
  '2001-01-01T00:00:00Z',
]
const operators = ['eq', 'ne', 'in', 'not_in', 'lt', 'lte', 'gt', 'gte', 'exists'] as const

/** The lists that grow with the site. Each of their filters is tried with each sort. */
const growing = new Set(['SVC_Content.list', 'SVC_Activity.list'])

/** Lists that no table has. */
const elsewhere = new Set(['SVC_Logs.list'])

/** Arguments that a list requires. */
const required: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'SVC_Content.revisions': { id: 'e1001' },
  'SVC_Terms.list': { taxonomy: 'category' },
  'SVC_Themes.revisions': { id: 'default' },
}

let site: ContentSite
let queries: Explained

before(async () => {
  site = await openContentSite()
  const amount = { name: 'amount', kind: 'number', filter: true }
  await site.ok('SVC_Types.create', { slug: 'thing', name: 'Thing', fields: [amount] })
  const { store } = site.services
  await withoutReferences(store)
  for (const [table, values] of Object.entries(tables)) await fillTable(store, table, small.has(table) ? 12 : rowCount, values)
  await store.write.updateTable('entry_revision').set({ entry_id: 'e1001' }).execute()
  // A path with an entry is not missing.
  await sql`update missing_path set path = '/' || path`.execute(store.write)
  await store.write.updateTable('theme_revision').set({ object_id: 'default' }).execute()
  queries = await explainQueries(store)
})
after(async () => {
  queries.stop()
  await site[Symbol.asyncDispose]()
})

interface List {
  readonly name: string
  readonly filters: readonly string[]
  readonly sorts: readonly string[]
}

/** The list actions of the registry, with the fields that their schemas name. */
function listsOf(): readonly List[] {
  return site.services.registry.all.flatMap((action) => {
    const { where, sort, cursor } = action.input.properties as Record<string, { description?: string } | undefined>
    const name = `${action.class}.${action.name}`
    if (!where || !sort || !cursor || elsewhere.has(name)) return []
    return [
      { name, filters: namesIn(where.description, /Fields: ([^.]+)\./), sorts: namesIn(sort.description, /: ([^.]+)\. Default/) },
    ]
  })
}

const namesIn = (description = '', pattern: RegExp): readonly string[] => {
  const names = pattern.exec(description)?.[1]?.split(', ') ?? []
  assert.ok(names.length > 0, description)
  return [...names, ...(description.match(/\bfields\.[a-z]+/g) ?? [])]
}

/** The query plans of one call. Answers are kept, so that no other call of this test has the same limit. */
async function plansOf(name: string, input: Readonly<Record<string, unknown>>, caller = tokenOf('admin')) {
  const { answer, plans } = await queries.of(() => site.run(name, { ...required[name], ...input, limit: 5 }, caller))
  if (!answer.ok) throw answer.failure
  return plans
}

/** Lists that the query plans of one call break the rules of. */
async function faultsOf(
  name: string,
  input: Readonly<Record<string, unknown>>,
  caller = tokenOf('admin'),
): Promise<readonly string[]> {
  const plans = await plansOf(name, input, caller)
  const faults: string[] = []
  for (const { text, plan, sorts, scans } of plans) {
    // The folder of skills is compared with the whole table, which is small.
    if (text === 'select * from "skill"') continue
    // A site has few themes, and their files are compared with the folder.
    if (/from "theme(?:_file)?"/.test(text)) continue
    // Rows are sorted only where an index has counted at most 1,000 of them; those queries say so by sorting an expression.
    const sorted = sorts && !/order by case when/.test(text)
    // A count ends at its limit, and reads no more rows than a page may.
    const counting = text.startsWith('select count(*) as found from')
    if (sorted || (scans && !counting)) faults.push(`${name} ${JSON.stringify(input)}: ${plan.join('; ')}\n${text}`)
  }
  return faults
}

/** The first of `values` that a field takes. */
async function firstOf(name: string, field: string, values: readonly unknown[]): Promise<readonly unknown[]> {
  for (const value of values) {
    const { ok } = await site.run(name, { ...required[name], where: { [field]: value }, limit: 1 }, tokenOf('admin'))
    if (ok) return [value]
  }
  return []
}

test('no sort of a list reads a whole table or sorts more than an index has bounded', async () => {
  for (const { name, sorts } of listsOf())
    for (const sort of sorts.flatMap((field) => [field, `-${field}`]))
      for (const count of [false, true]) assert.deepEqual(await faultsOf(name, { sort, count }), [])
})

test('nor does a list of what the public sees', async () => {
  const { sorts = [] } = listsOf().find(({ name }) => name === 'SVC_Content.list') ?? {}
  for (const sort of sorts.flatMap((field) => [field, `-${field}`]))
    for (const also of [{}, { type: 'page' }, { locale: 'same' }])
      assert.deepEqual(await faultsOf('SVC_Content.list', { sort, ...also }, nobody), [])
})

/** `list-plans-postgres.test.ts` looks at the sorts alone. */
const also: typeof test = process.env['TEST_PLANS'] === 'sorts' ? ((async () => undefined) as typeof test) : test

also('nor does a filter, whether all rows meet it or none, with any sort', async () => {
  for (const { name, filters, sorts } of listsOf())
    for (const [place, field] of filters.entries()) {
      const values = [...(await firstOf(name, field, common)), ...(await firstOf(name, field, rare.toReversed()))]
      assert.ok(values.length > 0, `${name} ${field}`)
      for (const [at, sort] of (growing.has(name) ? sorts : sorts.slice(0, 1)).entries())
        // Both values in a deep run, and with the first sort; in a usual run, one of them by turns.
        for (const value of isDeep || at === 0 ? values : [values[at % values.length]])
          assert.deepEqual(await faultsOf(name, { where: { [field]: value }, sort }), [])
      // All operators in a deep run; in a usual run, a third of them by turns.
      for (const operator of operators.filter((_, at) => isDeep || (at + place) % 3 === 0))
        for (const value of operator === 'exists' ? [true, false] : values.slice(0, 1)) {
          const wanted = operator.endsWith('in') ? [value] : value
          const input = { where: { [field]: { [operator]: wanted } }, count: true }
          const faults = await faultsOf(name, input).catch((error: unknown) => {
            if (/can't be compared/.test(String(error))) return []
            throw error
          })
          assert.deepEqual(faults, [])
        }
    }
})

also('nor does a list of the records of an object, by its id and by a path that it had, or a search of records', async () => {
  for (const input of [
    { where: { object: 'same' } },
    { where: { object: '/same' } },
    { where: { object: '/absent' } },
    { search: 'same' },
  ])
    for (const count of [false, true]) assert.deepEqual(await faultsOf('SVC_Activity.list', { ...input, count }), [])
})

test('nor does a page deep in a list', async () => {
  for (const { name, sorts } of listsOf())
    for (const sort of sorts.flatMap((field) => [field, `-${field}`])) {
      const { next_cursor: cursor } = await site.ok(name, { ...required[name], sort, limit: 6 })
      assert.ok(cursor, `${name} ${sort}`)
      const { items } = await site.ok(name, { ...required[name], sort, limit: 6, cursor })
      assert.equal(items.length, 6, `${name} ${sort}: rows without a value are passed over`)
      assert.deepEqual(await faultsOf(name, { sort, cursor }), [])
    }
})

/** The two ends of a range that has all rows, of which each kind of field takes one. */
const wide = [
  ['1970-01-01T00:00:00Z', '2037-01-01T00:00:00Z'],
  [0, 4000],
  ['A', 'zz'],
] as const

/** The ends of a range, and the direction of the list. */
const rangeWays = [
  [['lte'], '-'],
  [['gte'], ''],
  [['gte', 'lte'], '-'],
  [['gte', 'lte'], ''],
  [['gte'], '-'],
  [['lte'], ''],
] as const

/** A range of a field that has all rows; undefined for a field that has no order, or no values here. */
async function rangeOf(name: string, field: string) {
  for (const [gte, lte] of wide) {
    const input = { ...required[name], where: { [field]: { gte, lte } }, limit: 1 }
    const { ok } = await site.run(name, input, tokenOf('admin'))
    if (ok && (await site.ok(name, input)).items.length === 1) return { gte, lte }
  }
  return undefined
}

/** The pages of a list by one call: their queries, the sorted column and the conditions on an index. Pages of few rows, which an index has counted, are left out. */
async function walksOf(name: string, input: Readonly<Record<string, unknown>>) {
  return (await plansOf(name, input))
    .filter(({ text }) => /as "?list_value"?/.test(text) && !/order by case when/.test(text))
    .map(({ text, plan }) => ({
      text: `${name} ${JSON.stringify(input)}: ${plan.join('; ')}\n${text}`,
      column: /([\w"]+) as "?list_value"?/.exec(text)?.[1]?.replaceAll('"', '') ?? '',
      conditions: plan
        .flatMap((line) => /^(?:Index Cond: |SEARCH .*? INDEX \S+ )(\(.*)$/.exec(line)?.[1] ?? [])
        .join(' ')
        .replaceAll('"', ''),
    }))
}

/** Pages whose rows are walked to a range of the sorted field, and tested one by one, instead of being found there by the index. */
async function faultsOfRange(
  name: string,
  input: Readonly<Record<string, unknown>>,
  ends: readonly string[],
): Promise<readonly string[]> {
  return (await walksOf(name, input))
    .filter(({ column, conditions }) => {
      const isBounded = (end: string) => new RegExp(`\\b${column}(?:, ?\\w+\\))? ?${end === 'lte' ? '<' : '>'}`).test(conditions)
      return !ends.every(isBounded)
    })
    .map(({ text }) => text)
}

test('a range of the sorted field is found by the index that finds a value of another field, at any page and in both directions', async () => {
  let turn = 0
  let walked = 0
  for (const { name, filters, sorts } of listsOf()) {
    const values = new Map<string, unknown>()
    for (const field of filters) for (const value of await firstOf(name, field, common)) values.set(field, value)
    for (const sort of sorts.filter((field) => filters.includes(field))) {
      const range = await rangeOf(name, sort)
      if (!range) continue
      for (const [field, value] of [...values].filter(([one]) => one !== sort)) {
        // All ways in a deep run; in a usual run, one of them by turns.
        for (const [ends, direction] of isDeep ? rangeWays : [rangeWays[turn++ % rangeWays.length] ?? rangeWays[0]]) {
          const wanted: Readonly<Record<string, unknown>> = Object.fromEntries(ends.map((end) => [end, range[end]]))
          const input: Readonly<Record<string, unknown>> = {
            where: { [field]: value, [sort]: wanted },
            sort: `${direction}${sort}`,
          }
          const { next_cursor: cursor } = await site.ok(name, { ...required[name], ...input, limit: 6 })
          // Nothing has the value, where it names something else.
          if (!cursor) continue
          assert.deepEqual(await faultsOfRange(name, input, ends), [])
          // A later page begins at its cursor.
          const began = direction === '' ? 'gte' : 'lte'
          assert.deepEqual(await faultsOfRange(name, { ...input, cursor }, [...new Set([began, ...ends])]), [])
          walked += 1
        }
      }
    }
  }
  assert.ok(walked > 50, String(walked))
})

/** PostgreSQL may take the index of the sorted field alone, where its statistics say that most rows have the status. */
const weighs = usesPostgres && 'PostgreSQL weighs the indexes by its statistics'

test('a status and a range of the sorted field are one condition of one index', { skip: weighs }, async () => {
  for (const sort of ['published_at', 'created_at', 'updated_at'])
    for (const direction of ['', '-']) {
      const input = { where: { status: 'published', [sort]: { lt: '2037-01-01T00:00:00Z' } }, sort: `${direction}${sort}` }
      const walks = await walksOf('SVC_Content.list', input)
      assert.equal(walks.length, 1)
      for (const { text, conditions } of walks) assert.match(conditions, new RegExp(`status ?=.* AND .*\\b${sort} ?<`), text)
    }
})

also('a filter finds what has no value, in each column that may be without one', async () => {
  const { store } = site.services
  for (const table of Object.keys(tables)) {
    const empty = (await listColumns(store, table)).filter(({ nullable }) => nullable)
    const sets = empty.map(({ name }) => sql`${sql.ref(name)} = null`)
    if (sets.length > 0) await sql`update ${sql.table(table)} set ${sql.join(sets)}`.execute(store.write)
  }
  for (const { name, filters } of listsOf())
    for (const field of filters) {
      const [item] = (await site.ok(name, { ...required[name], limit: 1 })).items
      if (item?.[field] !== null) continue
      const { items } = await site.ok(name, { ...required[name], where: { [field]: null }, limit: 1 })
      assert.equal(items.length, 1, `${name} ${field}`)
    }
})
