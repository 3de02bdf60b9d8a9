// `postern move`: from SQLite to PostgreSQL and back, row by row, and what bad input gets.

import assert from 'node:assert/strict'
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { postern } from '../postern.ts'
import { makePostgresDatabase, type PostgresDatabase, postgresServer } from '../postgres.ts'
import { readAllRows } from './all-rows.ts'
import { type BackupSite, fill, openBackupSite } from './backup-site.ts'

let at: BackupSite
let database: PostgresDatabase
let file: string

before(async () => {
  at = await openBackupSite()
  await fill(await at.open(), 60)
  await at.close()
  file = join(at.home, 'data/postern.db')
  database = await makePostgresDatabase()
})
after(async () => {
  await at[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const move = (to: string, env: Readonly<Record<string, string>> = {}) =>
  postern({ POSTERN_HOME: at.home, ...env }, ['move', '--to', to])

/** The tables of a database, by whoever owns them. */
const tablesIn = async ({ query }: PostgresDatabase): Promise<readonly unknown[]> =>
  (await query(`select table_name as name from information_schema.tables where table_schema = 'postern' order by 1`)).map(
    ({ name }) => name,
  )

/** Runs a move that must fail in one sentence, with at most a hint. */
async function fails(to: string, code: number, words: RegExp, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const rows = await readAllRows(file)
  const ended = await move(to, env)
  assert.match(ended.stderr, words)
  assert.equal(ended.code, code, ended.stderr)
  assert.equal(ended.stdout, '')
  assert.ok(ended.stderr.trim().split('\n').length <= 3, ended.stderr)
  assert.deepEqual(await readAllRows(file), rows)
}

test('a site is moved to PostgreSQL and back, and every row is the same; a second move finds that it is done', async () => {
  const rows = await readAllRows(file)
  const bytes = await readFile(file)
  const there = await move(database.url)
  assert.equal(there.code, 0, there.stderr)
  assert.equal(there.stdout, `POSTERN_DATABASE_URL=${database.url}\n`)
  assert.match(
    there.stderr,
    /^Copied \d+ rows of \d+ tables, and compared each table\.\nNext: put this setting in place, start the service,/,
  )
  assert.deepEqual(await readAllRows(database.url), rows)
  assert.ok(bytes.equals(await readFile(file)))
  assert.match((await move(database.url)).stderr, /had been moved before: all \d+ tables .* are the same\. Nothing was copied/)

  const settings = { POSTERN_DATABASE_URL: database.url }
  assert.match((await move('sqlite', settings)).stderr, /had been moved before/)
  await using served = await openBackupSite(database.url)
  await mkdir(join(served.home, 'data'), { recursive: true })
  await copyFile(join(at.home, 'data/site.key'), join(served.home, 'data/site.key'))
  const opened = await served.open()
  await opened.search.run()
  await opened.store.write.updateTable('entry').set({ title: 'Written on PostgreSQL' }).where('id', '=', 'entry-7').execute()
  await fails('sqlite', 4, /The site in the schema postern is in use: stop the service on all machines first/, settings)
  await served.close()
  await fails('sqlite', 4, /has this site already, in another state: the table entry/, settings)
  await rename(file, `${file}.before`)
  const back = await move('sqlite', settings)
  assert.equal(back.code, 0, back.stderr)
  assert.equal(back.stdout, 'POSTERN_DATABASE_URL=\n')
  assert.deepEqual(await readAllRows(file), await readAllRows(database.url))
  assert.match((await readAllRows(file))['entry']?.join() ?? '', /Written on PostgreSQL/)
  const site = await at.open()
  assert.equal(site.store.engine, 'SQLite')
  await at.close()
  await rename(`${file}.before`, file)
  assert.deepEqual(
    (await readdir(join(at.home, 'data'))).filter((name) => name.includes('moving')),
    [],
  )
})

test('a move to a place that is of no use says why in one sentence, and leaves nothing there', async () => {
  const { socket, port } = await postgresServer()
  const local = `?host=${encodeURIComponent(socket)}&port=${port}`
  await using other = await makePostgresDatabase()
  await fails('postgres://site@127.0.0.1:1/x', 5, /can't be reached at 127\.0\.0\.1:1/)
  await fails(`postgres://site@/no_such_database${local}`, 4, /There is no database no_such_database/)
  await fails(`${other.url}&schema=another`, 4, /site lacks rights.*create schema another authorization site/)
  await fails('mysql://localhost/x', 4, /must be an address such as postgres:/)
  await fails(join(at.folder, 'x.db'), 4, /is in an SQLite file already/)
  await fails('sqlite', 4, /is in an SQLite file already/)
  await fails(other.url, 4, /is on PostgreSQL already/, { POSTERN_DATABASE_URL: database.url })
  await fails(join(at.folder, 'none/x.db'), 3, /There is no folder/, { POSTERN_DATABASE_URL: database.url })
  await other.query('create table postern.strange (id int); alter table postern.strange owner to site')
  await fails(other.url, 4, /has another program's tables/)
  await other.query('drop table postern.strange')
  await using stranger = await openBackupSite(other.url)
  await stranger.open()
  await stranger.close()
  const before = await readAllRows(other.url)
  await fails(other.url, 4, /has another site already\. Nothing was changed/)
  assert.deepEqual(await readAllRows(other.url), before)
  assert.match(
    (await postern({ POSTERN_HOME: join(at.folder, 'nowhere') }, ['move', '--to', other.url])).stderr,
    /There is no site in/,
  )
  assert.match((await postern({ POSTERN_HOME: at.home }, ['move'])).stderr, /Where to\?/)
})

test('a move is refused while the site is open, and a row that PostgreSQL can not store leaves the target empty', async () => {
  await using target = await makePostgresDatabase()
  const site = await at.open()
  await fails(target.url, 4, /is in use: stop the service first/)
  await at.close()
  assert.deepEqual(await tablesIn(target), [])
  const reopened = await at.open()
  await reopened.store.write.updateTable('entry').set({ position: 1.5 }).where('id', '=', 'entry-1').execute()
  await at.close()
  await fails(target.url, 4, /PostgreSQL can't store a row.*Nothing was changed/)
  assert.deepEqual(await tablesIn(target), ['postern_commit'])
  await at.open().then((open) => open.store.write.updateTable('entry').set({ position: 1 }).where('id', '=', 'entry-1').execute())
  await at.close()
  const again = await move(target.url)
  assert.equal(again.code, 0, again.stderr)
  assert.match(again.stderr, /An earlier move was interrupted and had left nothing in the target, so this one started anew/)
  assert.deepEqual(await readAllRows(target.url), await readAllRows(file))
  assert.ok(site)
})

test('the password comes from a file, and is not printed', async () => {
  const { port } = await postgresServer()
  await using target = await makePostgresDatabase()
  const secret = 'mover-correct-horse'
  await target.query(
    `do $$ begin create role mover login password '${secret}'; exception when duplicate_object then null; end $$`,
  )
  await target.query('grant usage, create on schema postern to mover')
  const password = join(at.folder, 'password')
  await writeFile(password, `${secret}\n`, { mode: 0o600 })
  const moved = await move(`postgres://mover:wrong@127.0.0.1:${port}/${target.name}`, {
    POSTERN_DATABASE_PASSWORD_FILE: password,
  })
  assert.equal(moved.code, 0, moved.stderr)
  assert.equal(moved.stdout, `POSTERN_DATABASE_URL=postgres://mover@127.0.0.1:${port}/${target.name}\n`)
  assert.ok(!`${moved.stdout}${moved.stderr}`.includes('correct'))
  await rm(password)
})
