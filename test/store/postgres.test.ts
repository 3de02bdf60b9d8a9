// What PostgreSQL alone must do: hosts, lost connections, commits whose answer never came, and a server that stops and comes back.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Failure } from '../../src/base/failure.ts'
import { openStore, type Store, type StoreOptions } from '../../src/store/core/database.ts'
import { readPostgresAddress } from '../../src/store/postgres/address.ts'
import { makePostgresDatabase, type PostgresDatabase, postgresServer } from '../postgres.ts'
import { openPostgresProxy, type PostgresProxy } from '../postgres-proxy.ts'
import { openTransactionPooler } from '../transaction-pooler.ts'
import { until } from '../until.ts'
import { isNullable } from '../../src/store/postgres/nulls.ts'
import { makePostgres, makeSqlite, openSiteStore, placeOf } from './on-each-database.ts'
import { notes, openTestStore, quiet } from './open-test-store.ts'

const isUnavailable = (error: unknown): boolean => error instanceof Failure && error.code === 'unavailable'

const add = (store: Store, id: string) =>
  store.transaction((db) => notes(db).insertInto('note').values({ id, text: null, count: 0 }).execute())
const ids = async (store: Store) =>
  (await notes(store.read).selectFrom('note').select('id').orderBy('id').execute()).map(({ id }) => id)

/** A store whose connections go through a proxy. */
async function openThroughProxy(
  database: PostgresDatabase,
  proxy: PostgresProxy,
  more: Partial<StoreOptions> = {},
): Promise<Store & AsyncDisposable> {
  const address = readPostgresAddress(`postgres://site@127.0.0.1:${proxy.port}/${database.name}?connect_timeout=1`)
  const store = await openStore({ postgres: address, log: quiet, waitMs: 500, ...more })
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() })
}

async function openNotes(): Promise<PostgresDatabase> {
  const database = await makePostgresDatabase()
  await database.query('create table postern.note (id text primary key, text text, count bigint not null)')
  await database.query('alter table postern.note owner to site')
  return database
}

test('attack 120: every connection is lost, idle and lent out: what runs is unavailable, and the next call works', async () => {
  await using database = await openNotes()
  await using proxy = await openPostgresProxy()
  await using store = await openThroughProxy(database, proxy)
  await add(store, 'a')
  const left = new AbortController()
  const running = sql`select pg_sleep(30)`.execute(store.readFor(left.signal))
  const open = store.transaction(async (db) => {
    await notes(db).insertInto('note').values({ id: 'b', text: null, count: 0 }).execute()
    await sql`select pg_sleep(30)`.execute(db)
  })
  setTimeout(() => proxy.dropAll(), 100)
  await Promise.all([assert.rejects(running, isUnavailable), assert.rejects(open, isUnavailable)])
  await database.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = 'site'`, [
    database.name,
  ])
  const works = (query: Promise<unknown>) =>
    query.then(
      () => true,
      () => false,
    )
  // Each pool finds out by itself that its connections are gone.
  await until('the server is there again, for writes', () => works(add(store, 'c')))
  await until('and for reads', () => works(ids(store)))
  assert.deepEqual(await ids(store), ['a', 'c'])
})

/** Whether bytes to the server contain a commit. */
const hasCommit = (chunk: Buffer): boolean => chunk.includes('commit\0')

test('attack 120: the connection is lost before a commit has arrived: the call is unavailable, and nothing is there', async () => {
  await using database = await openNotes()
  await using proxy = await openPostgresProxy()
  await using store = await openThroughProxy(database, proxy)
  await add(store, 'a')
  proxy.onSent = (chunk) => (hasCommit(chunk) ? ((proxy.onSent = () => 'pass'), 'drop') : 'pass')
  await assert.rejects(add(store, 'b'), isUnavailable)
  assert.deepEqual(await ids(store), ['a'])
  await add(store, 'c')
  assert.deepEqual(await ids(store), ['a', 'c'])
})

test('attack 120: the connection is lost after a commit has arrived: the call succeeds, and everything is there once', async () => {
  await using database = await openNotes()
  await using proxy = await openPostgresProxy()
  await using store = await openThroughProxy(database, proxy)
  await add(store, 'a')
  for (const id of ['b', 'c']) {
    proxy.onSent = (chunk) => (hasCommit(chunk) ? ((proxy.onSent = () => 'pass'), 'pass then drop') : 'pass')
    await add(store, id)
  }
  assert.deepEqual(await ids(store), ['a', 'b', 'c'])
})

test('attack 120: where nobody can say what became of a commit, the sentence says so', async () => {
  await using database = await openNotes()
  await using proxy = await openPostgresProxy()
  await using store = await openThroughProxy(database, proxy)
  await add(store, 'a')
  proxy.onSent = (chunk) => (hasCommit(chunk) ? ((proxy.onSent = () => 'drop'), 'pass then drop') : 'pass')
  await assert.rejects(add(store, 'b'), (error) => isUnavailable(error) && /not known whether/.test(String(error)))
  proxy.onSent = () => 'pass'
  await until('the server is reached', () =>
    ids(store).then(
      () => true,
      () => false,
    ),
  )
  assert.deepEqual(await ids(store), ['a', 'b'])
})

test('attack 120: a network that falls silent: each read, write and open transaction is unavailable in time, and all is well when it is back', async () => {
  await using database = await openNotes()
  await using proxy = await openPostgresProxy()
  await using store = await openThroughProxy(database, proxy, { waitMs: 100, pollMs: 50, readers: 1 })
  await add(store, 'a')
  const left = new AbortController()
  let began = (): void => undefined
  const hasBegun = new Promise<void>((resolve) => (began = resolve))
  let silent = (): void => undefined
  const isSilent = new Promise<void>((resolve) => (silent = resolve))
  const open = store.transaction(async (db) => {
    await notes(db).insertInto('note').values({ id: 'b', text: null, count: 0 }).execute()
    began()
    await isSilent
    await notes(db).insertInto('note').values({ id: 'c', text: null, count: 0 }).execute()
  })
  await hasBegun
  proxy.fallSilent()
  silent()
  const running = [open, ids(store), notes(store.readFor(left.signal)).selectFrom('note').select('id').execute(), add(store, 'd')]
  for (const one of await Promise.allSettled(running)) {
    assert.equal(one.status, 'rejected')
    assert.ok(isUnavailable(one.reason), String(one.reason))
  }
  proxy.speakAgain()
  const isBack = () =>
    add(store, 'e').then(
      () => true,
      () => false,
    )
  await until('the server is reached again', isBack)
  assert.deepEqual(await ids(store), ['a', 'e'])
})

test('a commit of another process is told by a notification alone, and each look for commits is told', async () => {
  await using database = await openNotes()
  const open = (pollMs: number) => openStore({ postgres: readPostgresAddress(database.url), log: quiet, pollMs })
  const [here, there] = [await open(3_600_000), await open(10)]
  const told: boolean[] = []
  const looks: number[] = []
  here.onForeignChange((mayLack) => void told.push(mayLack))
  there.onForeignChange(
    () => undefined,
    (beganAt) => void looks.push(beganAt),
  )
  await add(there, 'a')
  await until('the commit is told', () => told.length > 0)
  assert.equal(told[0], false)
  await until('a look is told', () => looks.length > 1)
  assert.ok(looks.every((at) => at <= Date.now()))
  await Promise.all([here.close(), there.close()])
})

test('a watch that is connected anew says that commits may be missing, since another server may have taken over', async () => {
  await using database = await openNotes()
  await using proxy = await openPostgresProxy()
  await using store = await openThroughProxy(database, proxy, { pollMs: 20 })
  const told: boolean[] = []
  store.onForeignChange((mayLack) => void told.push(mayLack))
  proxy.dropAll()
  await until('it is told', () => told.includes(true))
  const count = told.length
  await sleep(100)
  assert.equal(told.length, count)
})

test('a query that takes long is not taken for a silent network', async () => {
  await using site = await openTestStore(makePostgres, { waitMs: 200, pollMs: 10, readers: 1 })
  const { rows } = await sql<{ n: number }>`select 1 as n from pg_sleep(1)`.execute(site.store.read)
  assert.deepEqual(rows, [{ n: 1 }])
  await sql`select pg_sleep(1)`.execute(site.store.write)
})

test('attack 120: a commit whose answer never comes, on a network that falls silent, is there once when the call has succeeded', async () => {
  await using database = await openNotes()
  await using proxy = await openPostgresProxy()
  await using store = await openThroughProxy(database, proxy, { waitMs: 500, pollMs: 20 })
  await add(store, 'a')
  proxy.onSent = (chunk) => {
    if (!hasCommit(chunk)) return 'pass'
    proxy.onSent = () => 'pass'
    proxy.fallSilent()
    setTimeout(() => proxy.speakAgain(), 2500)
    return 'pass'
  }
  await add(store, 'b')
  assert.deepEqual(await ids(store), ['a', 'b'])
})

test('a store that is closed while its network is silent ends all the same', async () => {
  await using database = await openNotes()
  await using proxy = await openPostgresProxy()
  const store = await openThroughProxy(database, proxy, { waitMs: 100, pollMs: 20 })
  await ids(store)
  proxy.fallSilent()
  await store.close()
})

test('a store that is closed leaves no connection, however slowly its connections were opened', async () => {
  await using database = await openNotes()
  await using proxy = await openPostgresProxy()
  await using _store = await openThroughProxy(database, proxy)
  const address = readPostgresAddress(`postgres://site@127.0.0.1:${proxy.port}/${database.name}`)
  const count = async () =>
    Number(
      (
        await database.query(`select count(*) as n from pg_stat_activity where datname = $1 and usename = 'site'`, [
          database.name,
        ])
      )[0]?.['n'],
    )
  const before = await count()
  const store = await openStore({ postgres: address, log: quiet, pollMs: 1 })
  await ids(store)
  await store.close()
  await until('all are closed', async () => (await count()) === before)
})

test('of several hosts the one that answers is taken, wherever it stands in the list', async () => {
  await using database = await openNotes()
  const { socket, port } = await postgresServer()
  const hosts = `127.0.0.1:1,${encodeURIComponent(socket)}:${port}`
  for (const list of [hosts, hosts.split(',').reverse().join(',')]) {
    const store = await openStore({ postgres: readPostgresAddress(`postgres://site@${list}/${database.name}`), log: quiet })
    assert.deepEqual(await ids(store), [])
    await store.close()
  }
})

test('text is ordered by code point in lists, comparisons and indexes, whatever the collation of the database', async () => {
  await using site = await openTestStore(makePostgres)
  const { write, read } = site.store
  await write.schema
    .createTable('word')
    .addColumn('text', 'text', (c) => c.primaryKey())
    .execute()
  const words = ['Zebra', 'apple', 'a b', 'ab', 'Äpfel', 'a-c', 'é', '\u{ffff}', '\u{1f600}', '_', 'B']
  const db = write as unknown as ReturnType<typeof notes>
  for (const text of words) await sql`insert into word (text) values (${text})`.execute(db)
  const sorted = words.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  const { rows } = await sql<{ text: string }>`select text from word order by text`.execute(read)
  assert.deepEqual(
    rows.map(({ text }) => text),
    sorted,
  )
  const after = await sql<{ text: string }>`select text from word where text > ${'a'} order by text`.execute(read)
  assert.deepEqual(
    after.rows.map(({ text }) => text),
    sorted.filter((word) => Buffer.compare(Buffer.from(word), Buffer.from('a')) > 0),
  )
})

test('a number beyond the range of a column, or a fraction, compares with the column as a number', async () => {
  await using site = await openTestStore(makePostgres)
  await sql`create table small (n integer)`.execute(site.store.write)
  await sql`insert into small values (1), (2)`.execute(site.store.write)
  for (const [value, expected] of [
    [1.5, [2]],
    [2 ** 40, []],
    [-(2 ** 40), [1, 2]],
    [1, [2]],
    [1e300, []],
  ] as const) {
    const { rows } = await sql<{ n: number }>`select n from small where n > ${value} order by n`.execute(site.store.read)
    assert.deepEqual(
      rows.map(({ n }) => n),
      expected,
    )
  }
})

test('a statement that is prepared outlives a migration of another process, or says that the call can be repeated', async () => {
  await using site = await openTestStore(makePostgres, { readers: 1 })
  await add(site.store, 'a')
  const readAll = () => notes(site.store.read).selectFrom('note').selectAll().execute()
  for (let i = 0; i < 5; i++) await readAll()
  await sql`alter table note add column more text`.execute(site.store.write)
  await readAll().catch((error: unknown) => assert.ok(isUnavailable(error)))
  assert.equal((await readAll()).length, 1)
})

test('a process that hangs in a transaction loses it, and others go on', async () => {
  await using site = await openTestStore(makePostgres, { waitMs: 100 })
  await assert.rejects(
    site.store.transaction(async (db) => {
      await notes(db).insertInto('note').values({ id: 'a', text: null, count: 0 }).execute()
      await sleep(1000)
      await notes(db).insertInto('note').values({ id: 'b', text: null, count: 0 }).execute()
    }),
    isUnavailable,
  )
  await add(site.store, 'c')
  assert.deepEqual(await ids(site.store), ['c'])
})

test('the columns that may be null are those which orders and indexes treat so', async () => {
  await using site = await openSiteStore(makePostgres)
  const { rows } = await sql<{ table: string; column: string; nullable: number }>`
    select table_name as table, column_name as column, is_nullable = 'YES' as nullable from information_schema.columns
    where table_schema = 'postern'`.execute(site.store.read)
  const wrong = rows.filter(({ table, column, nullable }) => isNullable(column, table) !== (nullable === 1))
  assert.deepEqual(wrong, [])
})

test('an order of a column with nulls reads its index, in both directions', async () => {
  await using site = await openSiteStore(makePostgres)
  const { write } = site.store
  await sql`set enable_sort = off`.execute(write)
  for (const direction of ['asc', 'desc'] as const) {
    const query = write
      .selectFrom('entry')
      .selectAll()
      .where('type', '=', 'page')
      .where('status', '=', 'draft')
      .orderBy('entry.published_at', direction)
      .orderBy('entry.id', direction)
    const plan = JSON.stringify(await query.explain())
    assert.match(plan, /Index Scan( Backward)? using entry_(listing|status_published)/)
    assert.doesNotMatch(plan, /Sort/)
  }
})

test('doctor database: an index that PostgreSQL does not use any more is told, with the line that rebuilds it', async () => {
  await using database = await makePostgresDatabase()
  const store = await openStore({ ...placeOf(database.url), log: quiet })
  try {
    await sql`create table made (id text primary key)`.execute(store.write)
    const { signal } = new AbortController()
    assert.deepEqual(await store.findDamage(signal), [])
    await database.query(`update pg_index set indisvalid = false where indexrelid = 'postern.made_pkey'::regclass`)
    assert.deepEqual(await store.findDamage(signal), ['the index made_pkey is invalid: reindex index postern.made_pkey'])
  } finally {
    await store.close()
  }
})

test('GLOB means the same as on SQLite', async () => {
  await using lite = await openTestStore(makeSqlite)
  await using site = await openTestStore(makePostgres)
  const texts = ['a.b', 'axb', 'a*b', 'A[B', 'a?b', 'x\ny', 'Äß', '%_', 'a\\b', '^a$', 'a|b', '(a)', '']
  const globs = [
    '*a*',
    '*[aA].[bB]*',
    '*[*]*',
    '*[?]*',
    '*[[]*',
    '*\n*',
    '*[äÄ]ß*',
    '*%_*',
    '*\\*',
    '*^a$*',
    '*|*',
    '*(a)*',
    '**',
  ]
  for (const glob of globs) {
    const answers = await Promise.all(
      [lite, site].map(async ({ store }) => {
        const found: string[] = []
        for (const text of texts) {
          const condition = sql`${sql.ref('x.t')} glob ${glob}`
          const { rows } = await sql`select 1 from (select ${text} as t) as x where ${condition}`.execute(store.read)
          if (rows.length > 0) found.push(text)
        }
        return found
      }),
    )
    assert.deepEqual(answers[1], answers[0], glob)
  }
})

/** What the start says with this address. */
const refusal = async (url: string): Promise<Failure> => {
  const opened = openStore({ postgres: readPostgresAddress(url), log: quiet, waitMs: 500 })
  const failure = await opened.then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.ok(failure instanceof Failure, 'it was not refused')
  return failure
}

test('a pooler that lends connections per transaction is refused at the start, with what to do', async () => {
  await using database = await openNotes()
  await using pooler = await openTransactionPooler(database.name)
  const { code, message } = await refusal(`postgres://site@127.0.0.1:${pooler.port}/${database.name}?connect_timeout=2`)
  assert.equal(code, 'refused')
  assert.match(message, /pooler.*(?:session mode|directly)/)
})

test('a database whose advisory locks exclude nobody is refused at the start, with what to do', async () => {
  await using database = await openNotes()
  await using proxy = await openPostgresProxy()
  // As databases do that speak the protocol and have no such locks.
  const taken = '1 = 1 or 0 = '.padEnd('pg_try_advisory_lock'.length)
  proxy.onSent = (chunk) => {
    const at = chunk.indexOf('pg_try_advisory_lock(')
    if (at >= 0) chunk.write(taken, at, 'latin1')
    return 'pass'
  }
  const { code, message } = await refusal(`postgres://site@127.0.0.1:${proxy.port}/${database.name}`)
  assert.equal(code, 'refused')
  assert.match(message, /Advisory locks of this database exclude nobody.*use PostgreSQL itself/)
})

test('a server whose notifications are lost is refused at the start, with what to do', async () => {
  await using database = await openNotes()
  await using proxy = await openPostgresProxy()
  proxy.onSent = (chunk) => {
    const at = chunk.indexOf('pg_notify($1, $2)')
    if (at >= 0) chunk.write('strpos   ($1, $2)', at, 'latin1')
    return 'pass'
  }
  const { code, message } = await refusal(`postgres://site@127.0.0.1:${proxy.port}/${database.name}`)
  assert.equal(code, 'refused')
  assert.match(message, /Notifications of this database do not arrive: connect to PostgreSQL directly/)
})

test('attack 120: a process that stops in the middle of sending a statement loses the lock of all writers', async () => {
  await using database = await openNotes()
  await using proxy = await openPostgresProxy()
  const other = await openStore({ postgres: readPostgresAddress(database.url), log: quiet, waitMs: 500 })
  const store = await openThroughProxy(database, proxy, { pollMs: 3_600_000 })
  // Only half of the statement arrives, and then nothing. The other half is dropped with the connection.
  let isCut = false
  proxy.onSent = (chunk) => (chunk.includes('half of this') ? ((isCut = true), 'half') : 'pass')
  const stuck = store.transaction((db) =>
    notes(db).insertInto('note').values({ id: 'b', text: 'half of this', count: 0 }).execute(),
  )
  stuck.catch(() => undefined)
  await until('half is sent', () => isCut)
  await until('the lock is free', () =>
    add(other, 'c').then(
      () => true,
      () => false,
    ),
  )
  proxy.dropAll()
  await assert.rejects(stuck, isUnavailable)
  assert.deepEqual(await ids(other), ['c'])
  await Promise.all([store.close(), other.close()])
})
