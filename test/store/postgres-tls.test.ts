// A server of PostgreSQL that offers TLS, and what each `sslmode` accepts: an address that can't be used is told in one line with what to change.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openStore } from '../../src/store/core/database.ts'
import { makePostgresDatabase, openServer, type PostgresDatabase } from '../postgres.ts'
import { until } from '../until.ts'
import { placeOf, quiet } from './on-each-database.ts'

let folder: string
let database: PostgresDatabase
let port: number

/** Makes a key and a certificate for `localhost` that is its own authority. */
function makeCertificate(name: string): void {
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost`
  const files = ['-keyout', join(folder, `${name}.key`), '-out', join(folder, `${name}.crt`)]
  execFileSync('openssl', [...words.split(' '), ...files], { stdio: 'ignore' })
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-tls-'))
  for (const name of ['server', 'another']) makeCertificate(name)
  const server = await openServer()
  port = server.port
  // The server of the run may belong to another user.
  await chmod(folder, 0o755)
  if (server.uid !== undefined && server.gid !== undefined) await chown(join(folder, 'server.key'), server.uid, server.gid)
  database = await makePostgresDatabase('template1', server)
  await database.query(`do $$ begin create role tls_site login password 'x'; exception when duplicate_object then null; end $$`)
  await database.query('grant usage, create on schema postern to tls_site')
})
after(async () => {
  await setTls(false)
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function setTls(isOn: boolean): Promise<void> {
  await database.query(`alter system set ssl_cert_file = '${join(folder, 'server.crt')}'`)
  await database.query(`alter system set ssl_key_file = '${join(folder, 'server.key')}'`)
  await database.query(`alter system set ssl = ${isOn ? 'on' : 'off'}`)
  await database.query('select pg_reload_conf()')
  await until('the server has read its settings', async () => {
    const [row] = await database.query('show ssl')
    return row?.['ssl'] === (isOn ? 'on' : 'off')
  })
}

/** Connects as an address says. @returns whether the connection has TLS, or what the owner is told */
async function connect(host: string, query: string): Promise<string> {
  const url = `postgres://tls_site:x@${host}:${port}/${database.name}?${query}`
  const store = await openStore({ ...placeOf(url), log: quiet }).catch((error: unknown) => error as Error)
  if (store instanceof Error) return store.message
  try {
    const rows = await database.query(
      `select bool_or(ssl) as tls from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'tls_site'`,
    )
    return rows[0]?.['tls'] === true ? 'TLS' : 'plain'
  } finally {
    await store.close()
  }
}

test('a server without TLS is told where TLS is asked for', async () => {
  assert.match(await connect('127.0.0.1', 'sslmode=require'), /offers no TLS: turn on ssl in its postgresql\.conf, or .*disable/)
  assert.equal(await connect('127.0.0.1', ''), 'plain')
})

test('each sslmode accepts what it should, and says in one line what is wrong with a certificate', async () => {
  await setTls(true)
  const ca = (name: string) => `sslrootcert=${encodeURIComponent(join(folder, `${name}.crt`))}`
  const rows: readonly (readonly [host: string, query: string, outcome: RegExp])[] = [
    ['127.0.0.1', 'sslmode=require', /^TLS$/],
    ['localhost', `sslmode=verify-full&${ca('server')}`, /^TLS$/],
    ['127.0.0.1', `sslmode=verify-ca&${ca('server')}`, /^TLS$/],
    ['127.0.0.1', 'sslmode=disable', /^plain$/],
    [
      '127.0.0.1',
      `sslmode=verify-full&${ca('server')}`,
      /certificate of 127\.0\.0\.1:\d+ is for another name: .*sslmode=verify-ca/,
    ],
    ['localhost', `sslmode=verify-full&${ca('another')}`, /certificate of localhost:\d+ is not signed by .*sslrootcert/],
    ['localhost', 'sslmode=verify-full', /is not signed by .*sslrootcert/],
    ['localhost', `sslmode=require&${ca('another')}`, /is not signed by .*sslrootcert/],
    [
      'localhost',
      'sslmode=verify-full&sslrootcert=/no/such/file',
      /The file \/no\/such\/file, which the address .*can not be read/,
    ],
  ]
  for (const [host, query, outcome] of rows) {
    const said = await connect(host, query).catch((error: unknown) => (error as Error).message)
    assert.match(said, outcome, `${query}: ${said}`)
    assert.ok(!said.includes('\n'), said)
  }
})
