// Migrations: all or none, and never over a database that isn't ours or is newer.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { Failure } from '../../../src/base/failure.ts'
import type { Store } from '../../../src/store/core/database.ts'
import { isContract, migrateToLatest, type Migrations, pendingMigrations } from '../../../src/store/core/migrate.ts'
import { migrations } from '../../../src/store/migrations/index.ts'
import { type MakeDatabase, onEachDatabase, type TestDatabase } from '../on-each-database.ts'

const table = (name: string) => ({
  up: async (db: Store['write']) => db.schema.createTable(name).addColumn('id', 'text').execute(),
})
const one: Migrations = { '0001-first': table('one') }
const two: Migrations = { ...one, '0002-second': table('two') }

const refused = (words: RegExp) => (error: unknown) =>
  error instanceof Failure && error.code === 'refused' && words.test(error.message)

async function openEmpty(make: MakeDatabase) {
  const database = await make()
  const store = await database.open()
  const close = async () => {
    await store.close()
    await database[Symbol.asyncDispose]()
  }
  return { engine: database.engine, store, openAgain: () => database.open(), [Symbol.asyncDispose]: close }
}

const tables = (store: Store) => store.listTables()

test(
  'a first start applies all migrations of this release, a second none',
  onEachDatabase(async (make) => {
    await using site = await openEmpty(make)
    const applied = await migrateToLatest(site.store)
    assert.equal(applied[0], '0001-first')
    assert.deepEqual(await pendingMigrations(site.store), [])
    assert.deepEqual(await migrateToLatest(site.store), [])
  }),
)

test(
  'an upgrade applies what is pending only',
  onEachDatabase(async (make) => {
    await using site = await openEmpty(make)
    await migrateToLatest(site.store, one)
    assert.deepEqual(await pendingMigrations(site.store, two), ['0002-second'])
    assert.deepEqual(await migrateToLatest(site.store, two), ['0002-second'])
  }),
)

test(
  'asking what is pending leaves an empty database empty',
  onEachDatabase(async (make) => {
    await using site = await openEmpty(make)
    assert.deepEqual(await pendingMigrations(site.store, two), ['0001-first', '0002-second'])
    assert.deepEqual(await tables(site.store), [])
  }),
)

test(
  'attack 120: a migration that fails takes those before it back too',
  onEachDatabase(async (make) => {
    await using site = await openEmpty(make)
    await migrateToLatest(site.store, one)
    const failing = {
      up: async (db: Store['write']) =>
        void (await sql`create table three (id text)`.execute(db), await sql`nonsense`.execute(db)),
    }
    await assert.rejects(migrateToLatest(site.store, { ...two, '0003-third': failing }), /syntax error/)
    assert.deepEqual(await pendingMigrations(site.store, two), ['0002-second'])
    assert.ok(!(await tables(site.store)).some((name) => name === 'two' || name === 'three'))
  }),
)

test(
  'a database that newer code only added to is served by the older, which adds nothing to it',
  onEachDatabase(async (make) => {
    await using site = await openEmpty(make)
    await migrateToLatest(site.store, two)
    assert.deepEqual(await pendingMigrations(site.store, one), [])
    assert.deepEqual(await migrateToLatest(site.store, one), [])
    assert.deepEqual((await tables(site.store)).includes('two'), true)
  }),
)

const contract: Migrations = { ...two, '0003-drop-one-contract': table('three') }

test(
  'a database with a newer migration that is marked is refused and left as it is, and the sentence names both',
  onEachDatabase(async (make) => {
    await using site = await openEmpty(make)
    await migrateToLatest(site.store, contract)
    await assert.rejects(migrateToLatest(site.store, two), refused(/newer.*0003-drop-one-contract.*0002-second/))
    await assert.rejects(pendingMigrations(site.store, one), refused(/newer/))
    assert.deepEqual(await pendingMigrations(site.store, contract), [])
  }),
)

test(
  'a database that has a migration unknown here and lacks one that is known here is refused',
  onEachDatabase(async (make) => {
    await using site = await openEmpty(make)
    await migrateToLatest(site.store, { ...one, '0002-another': table('another') })
    await assert.rejects(migrateToLatest(site.store, two), refused(/newer.*0002-another/))
  }),
)

test(
  'entries that a setting had closed for comments are closed by their own column',
  onEachDatabase(async (make) => {
    await using site = await openEmpty(make)
    const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0059'))
    await migrateToLatest(site.store, before)
    const { write } = site.store
    const times = { created_at: 1, updated_at: 1, revision: 1 }
    for (const [id, path] of [
      ['a', '/a'],
      ['b', '/b'],
      ['c', '/c'],
    ] as const) {
      const plain = {
        title: id,
        slug: id,
        body: '',
        status: 'draft',
        position: 0,
        seo: '{}',
        terms: '[]',
        fields: '{}',
        staged: 0,
      }
      await sql`insert into entry ${sql.raw(`(${['id', 'path', 'type', ...Object.keys(plain), ...Object.keys(times)].join(', ')})`)}
        values (${sql.join([id, path, 'post', ...Object.values(plain), ...Object.values(times)])})`.execute(write)
    }
    const value = JSON.stringify(['a', '/b', '/gone'])
    await write
      .insertInto('setting')
      .values({ key: 'comments_closed', value, ...times })
      .execute()
    await migrateToLatest(site.store)
    const rows = await site.store.read.selectFrom('entry').select(['id', 'comments']).orderBy('id').execute()
    assert.deepEqual(
      rows.map(({ id, comments }) => [id, comments]),
      [
        ['a', 'closed'],
        ['b', 'closed'],
        ['c', null],
      ],
    )
  }),
)

/** Columns by table: what a program that knew only these may leave out when it writes a row. */
async function columnsOf(engine: TestDatabase['engine'], store: Store): Promise<Map<string, Map<string, boolean>>> {
  const found = new Map((await tables(store)).map((name) => [name, new Map<string, boolean>()]))
  const { rows } = await columnQueries[engine].execute(store.read)
  for (const row of rows) found.get(row.of)?.set(row.name, row.required === 0 || row.fallback !== null)
  return found
}

type ColumnQuery = RawBuilder<{ of: string; name: string; required: number; fallback: unknown }>

const columnQueries: Readonly<Record<TestDatabase['engine'], ColumnQuery>> = {
  SQLite: sql`select s.name as "of", c.name as name, c."notnull" as required, c.dflt_value as fallback
    from sqlite_schema as s, pragma_table_info(s.name) as c where s.type = 'table'`,
  PostgreSQL: sql`select table_name as "of", column_name as name, (is_nullable = 'NO')::int as required, column_default as fallback
    from information_schema.columns where table_schema = current_schema()`,
}

test(
  'each migration that is not marked only adds, and what it adds to a table may be left out',
  onEachDatabase(async (make) => {
    await using site = await openEmpty(make)
    const wrong: string[] = []
    let soFar: Migrations = {}
    let after = await columnsOf(site.engine, site.store)
    for (const [name, migration] of Object.entries(migrations)) {
      const before = after
      soFar = { ...soFar, [name]: migration }
      await migrateToLatest(site.store, soFar)
      after = await columnsOf(site.engine, site.store)
      if (isContract(name)) continue
      for (const [table, columns] of before) {
        const now = after.get(table) ?? new Map<string, boolean>()
        for (const column of columns.keys()) if (!now.has(column)) wrong.push(`${name} takes ${table}.${column}`)
        for (const [column, optional] of now)
          if (!columns.has(column) && !optional) wrong.push(`${name} demands ${table}.${column}`)
      }
    }
    assert.deepEqual(wrong, [])
  }),
)

test(
  "another program's database is refused and left as it is",
  onEachDatabase(async (make) => {
    await using plain = await openEmpty(make)
    await sql`create table users (id text)`.execute(plain.store.write)
    await assert.rejects(migrateToLatest(plain.store, one), refused(/another program/))
    assert.deepEqual(await tables(plain.store), ['users'])
    await using kysely = await openEmpty(make)
    await migrateToLatest(kysely.store, { '2020-users': table('users') })
    await assert.rejects(migrateToLatest(kysely.store, one), refused(/another program/))
  }),
)

test(
  'attack 121: two first starts at once both succeed, and each migration is applied once',
  onEachDatabase(async (make) => {
    await using site = await openEmpty(make)
    const other = await site.openAgain()
    const applied = await Promise.all([migrateToLatest(site.store, two), migrateToLatest(other, two)])
    await other.close()
    assert.deepEqual(applied.flat().sort(), ['0001-first', '0002-second'])
  }),
)

test(
  'the entries of a site of the release before types, terms, staging and media keep their rows, and get the new columns',
  onEachDatabase(async (make) => {
    await using site = await openEmpty(make)
    const earlier = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0012'))
    await migrateToLatest(site.store, earlier)
    await sql`insert into entry (id, type, title, slug, path, body, status, published_at, position, seo, created_at, updated_at, revision)
      values ('one', 'page', 'Über uns', 'uns', '/uns', 'Text', 'published', 5, 0, '{}', 1, 2, 3)`.execute(site.store.write)
    await migrateToLatest(site.store)
    const [row] = await site.store.read.selectFrom('entry').selectAll().execute()
    const { terms, fields, staged, live_revision: live, cover, locale, translation_of: group, title, path, revision } = row ?? {}
    assert.deepEqual([title, path, revision, terms, fields, staged], ['Über uns', '/uns', 3, '[]', '{}', 0])
    assert.deepEqual([live, cover, locale, group], [null, null, null, null])
    for (const table of ['entry_term', 'entry_value', 'entry_pending', 'media_use', 'menu', 'redirect'] as const)
      assert.deepEqual(await site.store.read.selectFrom(table).selectAll().execute(), [], table)
  }),
)
