// How the database reads the lists: each sort and each filter of each list action of the registry, by its query plan. A list joins by itself.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { isDeep } from '../deep-run.ts'
import { type ContentSite, nobody, openContentSite, tokenOf } from './content-site.ts'
import { type Explained, explainQueries, fillTable, listColumns, withoutReferences } from './query-plans.ts'

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
  entry_type: { slug: null, fields: '[]', dropped: '[]', taxonomies: '[]' },
  term: { id: null, ref: null, taxonomy: 'category', seo: '{}' },
  redirect: { id: null, source: null, origin: 'hand' },
  missing_path: { path: null, referrer: undefined },
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
  5,
  true,
  '1970-01-01T00:00:00.005Z',
]
const rare = [
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

/** Lists that the query plans of one call break the rules of. */
async function faultsOf(
  name: string,
  input: Readonly<Record<string, unknown>>,
  caller = tokenOf('admin'),
): Promise<readonly string[]> {
  const { answer, plans } = await queries.of(() => site.run(name, { ...required[name], ...input, limit: 5 }, caller))
  if (!answer.ok) throw answer.failure
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
    for (const field of filters) {
      const values = [...(await firstOf(name, field, common)), ...(await firstOf(name, field, rare.toReversed()))]
      assert.ok(values.length > 0, `${name} ${field}`)
      for (const [at, sort] of (growing.has(name) ? sorts : sorts.slice(0, 1)).entries())
        // Both values in a deep run, and with the first sort; in a usual run, one of them by turns.
        for (const value of isDeep || at === 0 ? values : [values[at % values.length]])
          assert.deepEqual(await faultsOf(name, { where: { [field]: value }, sort }), [])
      for (const operator of operators)
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
      const { next_cursor: cursor } = await site.ok(name, { ...required[name], sort, limit: 5 })
      assert.ok(cursor, `${name} ${sort}`)
      const { items } = await site.ok(name, { ...required[name], sort, limit: 5, cursor })
      assert.equal(items.length, 5, `${name} ${sort}: rows without a value are passed over`)
      assert.deepEqual(await faultsOf(name, { sort, cursor }), [])
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
