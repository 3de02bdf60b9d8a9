// A whole site on PostgreSQL: what it says when it can't start, and what it does while its database is away. Runs in a process of
// its own, because it waits for a server that starts and stops.

import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { inspect } from 'node:util'
import { postern } from '../postern.ts'
import { control, makePostgresDatabase, openServer, type PostgresDatabase, postgresServer } from '../postgres.ts'
import { openSite } from '../site.ts'
import { until } from '../until.ts'

let home: string
let database: PostgresDatabase

before(async () => {
  home = await mkdtemp(join(tmpdir(), 'postern-test-'))
  database = await makePostgresDatabase()
})
after(async () => {
  await rm(home, { recursive: true, force: true })
  await database[Symbol.asyncDispose]()
})

const secret = 'hunter2-correct'

/** Starts a site of these settings, which must fail. @returns what it says */
async function failsToStart(env: Readonly<Record<string, string>>, args: readonly string[] = ['migrate']): Promise<string> {
  const ended = await postern({ POSTERN_HOME: home, ...env }, args)
  assert.notEqual(ended.code, 0, ended.stdout)
  return ended.stderr
}

test('a role with nothing but rights on its own schema makes all tables there, and the second start finds them', async () => {
  await using own = await makePostgresDatabase()
  const env = { POSTERN_HOME: home, POSTERN_DATABASE_URL: own.url }
  await writeFile(join(home, 'first'), '')
  const made = await postern(
    env,
    ['admin', 'create', '--email', 'a@example.org', '--name', 'A'],
    'correct horse battery staple\n',
  )
  assert.equal(made.code, 0, made.stderr)
  const again = await postern(env, ['migrate'])
  assert.match(again.stderr, /up to date/)
  const tables = await own.query(
    `select distinct table_schema as schema from information_schema.tables where table_schema !~ '^(pg_|information)'`,
  )
  assert.deepEqual(tables, [{ schema: 'postern' }])
  const owned = await own.query(`select rolname, rolsuper, rolcreatedb from pg_roles where rolname = 'site'`)
  assert.deepEqual(owned, [{ rolname: 'site', rolsuper: false, rolcreatedb: false }])
})

test('a start says in one line what is wrong with the database, and what to do', async () => {
  const { socket, port } = await postgresServer()
  await database.query(
    `do $$ begin create role "secret_role" login password '${secret}'; exception when duplicate_object then null; end $$`,
  )
  const at = (place: string, query = '') => `postgres://${place}/${database.name}${query}`
  const local = `?host=${encodeURIComponent(socket)}&port=${port}`
  const rows: readonly (readonly [url: string, words: RegExp])[] = [
    [at('site@127.0.0.1:1'), /can't be reached at 127\.0\.0\.1:1: .*ECONNREFUSED/],
    [at('site@no-such-host.invalid', '?sslmode=disable'), /can't be reached at no-such-host\.invalid:5432/],
    [`postgres://site@/no_such_database${local}`, /There is no database no_such_database: create it with: create database/],
    [at('no_such_role@', local), /no_such_role/],
    [at(`secret_role:${secret}-wrong@127.0.0.1:${port}`), /password of secret_role is wrong/],
    [at(`secret_role@`, local), /secret_role lacks rights.*grant usage, create on schema postern to secret_role/],
    [at(`site@`, `${local}&schema=another`), /site lacks rights.*create schema another authorization site/],
    [at('site@', `${local}&sslmod=require`), /parameter sslmod/],
    [at('site@', `${local}&sslmode=prefer`), /sslmode.*disable, require, verify-ca, verify-full/],
    [`mysql://localhost/x`, /POSTERN_DATABASE_URL/],
  ]
  for (const [url, words] of rows) {
    const said = await failsToStart({ POSTERN_DATABASE_URL: url })
    assert.match(said, words)
    assert.equal(said.trim().split('\n').length <= 2, true, said)
    assert.ok(!said.includes(secret), said)
  }
})

test('attack 123: the password of the database comes from a file, and is in no word, log, metric or inspection of the site', async () => {
  const { port } = await postgresServer()
  await using own = await makePostgresDatabase()
  await own.query(`do $$ begin create role keeper login password '${secret}'; exception when duplicate_object then null; end $$`)
  await own.query('grant usage, create on schema postern to keeper')
  const file = join(home, 'password')
  await writeFile(file, `${secret}\n`, { mode: 0o600 })
  const env = { POSTERN_DATABASE_URL: `postgres://keeper@127.0.0.1:${port}/${own.name}`, POSTERN_DATABASE_PASSWORD_FILE: file }
  const place = await mkdtemp(join(tmpdir(), 'postern-test-'))
  {
    await using site = await openSite({ database: 'sqlite', bare: true, home: place, env })
    const texts = [await site.send('/metrics'), await site.send('/healthz'), await site.send('/readyz')].map(({ text }) => text)
    assert.equal((await site.send('/readyz')).status, 200)
    const said = [
      ...texts,
      ...site.log,
      ...site.words,
      await readFile(join(place, 'user-content', 'logs', 'error.log'), 'utf8').catch(() => ''),
    ]
    assert.ok(!inspect(said, { depth: 9 }).includes(secret))
  }
  await writeFile(file, '\n')
  assert.match(await failsToStart(env), /has no password in its first line/)
  await rm(place, { recursive: true, force: true })
})

test("another site's key is refused, and so is a database that is newer", async () => {
  await using own = await makePostgresDatabase()
  const env = { POSTERN_DATABASE_URL: own.url }
  const other = await mkdtemp(join(tmpdir(), 'postern-test-'))
  const run = (folder: string) =>
    postern(
      { POSTERN_HOME: folder, ...env },
      ['admin', 'create', '--email', 'a@example.org', '--name', 'A'],
      'correct horse battery staple\n',
    )
  assert.equal((await run(home)).code, 0)
  const foreign = await run(other)
  assert.match(foreign.stderr, /key .* is lost|belongs to another site/)
  await own.query(`insert into postern.kysely_migration (name, timestamp) values ('9999-x-contract', '2099-01-01T00:00:00.000Z')`)
  assert.match(await failsToStart(env), /newer than this code.*9999-x-contract/)
  await rm(other, { recursive: true, force: true })
})

test('attack 120: while the database is stopped hard, cached pages are served, calls are unavailable, and all is well by itself after it', async () => {
  const server = await openServer()
  await using own = await makePostgresDatabase('template1', server)
  const place = await mkdtemp(join(tmpdir(), 'postern-test-'))
  const env = { POSTERN_DATABASE_URL: own.url }
  const words = { POSTERN_HOME: place, ...env }
  const made = await postern(
    words,
    ['admin', 'create', '--email', 'a@example.org', '--name', 'A'],
    'correct horse battery staple\n',
  )
  assert.equal(made.code, 0, made.stderr)
  const token = (await postern(words, ['token', 'create', '--name', 't'])).stdout.trim()
  {
    await using site = await openSite({ database: 'sqlite', bare: true, home: place, env })
    const create = (title: string) =>
      site.api('SVC_Content.create', { type: 'page', title, status: 'published', body: title }, { token })
    assert.equal((await create('About')).status, 200)
    const page = await site.send('/about', { token: null })
    assert.equal(page.status, 200)
    await control(server, 'stop')
    const [cached, write, read, ready] = await Promise.all([
      site.send('/about', { token: null }),
      create('Lost'),
      site.api('SVC_Content.list', { search: 'never asked before' }, { token }),
      site.send('/readyz'),
    ])
    assert.deepEqual([cached.status, cached.text], [200, page.text])
    for (const answer of [write, read]) {
      assert.equal(answer.status, 503, answer.text)
      assert.equal(answer.json.error.code, 'unavailable')
      assert.ok(answer.json.error.retry_after > 0)
      assert.doesNotMatch(answer.text, /ECONN|PGSQL|site@/)
    }
    assert.equal(ready.status, 503)
    // Below the actions: the token has to be looked up.
    const unknown = { token: `pst_${'u'.repeat(43)}` }
    const ping = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'SVC_API__list-actions' } }
    for (const [path, body] of [
      ['/api/', { action: 'SVC_API.welcome' }],
      ['/mcp/', ping],
    ] as const) {
      const answer = await site.send(path, {
        ...unknown,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      assert.equal(answer.status, 503, answer.text)
      const { error } = answer.json
      assert.equal(String((error.data ?? error).retry_after), answer.headers.get('retry-after'), answer.text)
    }
    await control(server, 'start')
    await until('it is ready', async () => (await site.send('/readyz')).status === 200)
    const again = await create('Again')
    assert.equal(again.status, 200, again.text)
    const listed = await site.call('SVC_Content.list', { sort: 'title' }, { token })
    assert.deepEqual(
      (listed.items as { title: string }[]).map(({ title }) => title),
      ['About', 'Again'],
    )
  }
  await rm(place, { recursive: true, force: true })
})
