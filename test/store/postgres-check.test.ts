// `postern database check`, without a site: the database of the settings is tested, and each fault is one sentence that says what to do.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { makePostgresDatabase, type PostgresDatabase, postgresServer } from '../postgres.ts'
import { postern } from '../postern.ts'
import { openTransactionPooler } from '../transaction-pooler.ts'

let folder: string
let database: PostgresDatabase
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-test-'))
  database = await makePostgresDatabase()
})
after(async () => {
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

interface Checked {
  readonly host?: string
  readonly version?: string
  readonly encoding?: string
  readonly collation?: string
  readonly schema?: string
  readonly site?: boolean
  readonly checks: readonly { readonly check: string; readonly state: string; readonly message: string | null }[]
}

/** Runs the command for a home that does not exist, and holds that it still doesn't. */
async function check(
  url: string | undefined,
  more: Readonly<Record<string, string>> = {},
  words: readonly string[] = ['--json'],
) {
  const home = join(folder, 'no-home')
  const env = { POSTERN_HOME: home, ...(url === undefined ? {} : { POSTERN_DATABASE_URL: url }), ...more }
  const said = await postern(env, ['database', 'check', ...words])
  assert.equal(existsSync(home), false)
  return { ...said, json: (said.stdout.startsWith('{') ? JSON.parse(said.stdout) : undefined) as Checked | undefined }
}

const tablesOf = async () =>
  (
    await database.query(`select count(*)::int as n from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n
    on n.oid = c.relnamespace where nspname not like 'pg\\_%' and nspname <> 'information_schema'`)
  )[0]?.['n']

test('a database that is as it should be: its facts, exit code 0, and nothing is left behind', async () => {
  const before = await tablesOf()
  const { code, stderr, json } = await check(database.url)
  assert.equal(code, 0, stderr)
  assert.equal(stderr, 'Postern can use this database.\n')
  assert.deepEqual(
    json?.checks.map((one) => [one.check, one.state, one.message]),
    ['settings', 'connection', 'sessions', 'rights', 'locks'].map((name) => [name, 'ok', null]),
  )
  assert.match(json?.version ?? '', /^\d+/)
  assert.deepEqual([json?.encoding, json?.schema, json?.site], ['UTF8', 'postern', false])
  assert.ok(json?.collation)
  const { stdout } = await check(database.url, {}, [])
  assert.match(stdout, /^server\t.*PostgreSQL \d+.*\ndatabase\tencoding UTF8, collation .+\nschema\tpostern, no site yet\n$/)
  assert.equal(await tablesOf(), before)
})

test('each fault is one sentence with what to do, and the check that found it', async () => {
  const { socket, port } = await postgresServer()
  const local = `?host=${encodeURIComponent(socket)}&port=${port}`
  await database.query(`do $$ begin create role checker login; exception when duplicate_object then null; end $$`)
  await database.query('create schema theirs authorization checker')
  await database.query('create table theirs.entry (id text)')
  const latin = `${database.name}_latin`
  await database.query(`create database ${latin} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`)
  await using pooler = await openTransactionPooler(database.name)
  const at = (place: string, query = '') => `postgres://${place}/${database.name}${query}`
  const rows: readonly (readonly [url: string, check: string, words: RegExp, code: number])[] = [
    ['mysql://localhost/x', '', /POSTERN_DATABASE_URL.*postgres:\/\//, 2],
    [at('site@', `${local}&sslmode=prefer`), 'settings', /sslmode.*verify-full/, 4],
    [at('site@127.0.0.1:1'), 'connection', /can't be reached at 127\.0\.0\.1:1: .*ECONNREFUSED/, 5],
    [
      `postgres://site@/no_such_database${local}`,
      'connection',
      /create it with: create database no_such_database owner site\./,
      4,
    ],
    [`postgres://site@/${latin}${local}`, 'connection', /has the encoding LATIN1: create it anew with encoding 'UTF8'/, 4],
    [at('checker@', local), 'rights', /checker lacks rights.*grant usage, create on schema postern to checker;/, 4],
    [at('site@', `${local}&schema=another`), 'rights', /site lacks rights.*create schema another authorization site;/, 4],
    [at('checker@', `${local}&schema=theirs`), 'rights', /theirs\.entry belongs to the role postgres.*owner to checker;/, 4],
    [at(`site@127.0.0.1:${pooler.port}`), 'sessions', /pooler.*session mode/, 4],
  ]
  try {
    for (const [url, name, words, code] of rows) {
      const said = await check(url)
      assert.match(said.stderr, words, url)
      assert.equal(said.code, code, url)
      if (name === '') continue
      const broken = said.json?.checks.filter(({ state }) => state === 'broken') ?? []
      assert.equal(broken[0]?.check, name, JSON.stringify(said.json))
      assert.match(broken[0]?.message ?? '', words)
      // Without a connection, nothing else can be known.
      const isUnknown = said.json?.checks.at(-1)?.state === 'unknown'
      assert.equal(isUnknown, name === 'settings' || name === 'connection', url)
    }
  } finally {
    await database.query(`drop database ${latin}`)
  }
})

test('a password file that is missing is named, and without an address there is nothing to test', async () => {
  const missing = await check(database.url, { POSTERN_DATABASE_PASSWORD_FILE: join(folder, 'missing') })
  assert.equal(missing.code, 4)
  assert.match(missing.stderr, /password of the database can't be read.*missing/)
  const file = await check(undefined)
  assert.equal(file.code, 2)
  assert.match(file.stderr, /POSTERN_DATABASE_URL is not set/)
})
