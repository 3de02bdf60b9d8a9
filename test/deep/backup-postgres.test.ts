// Backups of a site on PostgreSQL: made under writers, and restored to either database, row by row.

import assert from 'node:assert/strict'
import { chmod, copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { unsaved } from '../../src/backup/single-use.ts'
import { readPostgresAddress } from '../../src/store/postgres/address.ts'
import { foldForSearch } from '../../src/store/search/search-text.ts'
import { searchOf } from '../../src/store/search/search.ts'
import { openSchema, restoreMark, setMark } from '../../src/store/core/site-copy.ts'
import { makePostgresDatabase } from '../postgres.ts'
import { until } from '../until.ts'
import { readAllRows } from '../backup/all-rows.ts'
import { failsWith, fill, openBackupSite } from '../backup/backup-site.ts'
import { checkPairs, underWriters } from '../backup/kill-moves.ts'

test('a backup made on PostgreSQL is restored there and on SQLite, and all rows are the same', async () => {
  await using database = await makePostgresDatabase()
  await using at = await openBackupSite(database.url)
  const site = await at.open()
  await fill(site)
  await at.put('user-content/uploads/a.txt', 'one')
  const { result: row, writes } = await underWriters(site, 2, () => site.backups.create({ note: 'kept' }))
  assert.ok(writes > 0)
  assert.equal(row.error, null)
  assert.notEqual(row.verified_at, null)
  assert.equal((await site.backups.verify(row)).error, null)
  await at.close()
  const before = await readAllRows(database.url)
  await at.open().then((opened) => opened.store.write.updateTable('entry').set({ title: 'Changed' }).execute())
  await at.put('user-content/uploads/a.txt', 'two')
  await at.close()
  const { saved } = await at.restore(row.file)
  assert.notEqual(saved, null)
  const after = await readAllRows(database.url)
  const changing = new Set(['activity', 'backup', 'version', 'recent_change', 'setting'])
  checkPairs(after['setting'] ?? [])
  for (const [table, rows] of Object.entries(before)) if (!changing.has(table)) assert.deepEqual(after[table], rows, table)
  assert.equal(after['backup']?.length, 2)
  assert.equal(Object.values(await at.files())[0], Buffer.from('one').toString('hex'))

  await using plain = await openBackupSite()
  await plain.restore(join(at.backups, row.file), { keepTokens: true })
  const onSqlite = await readAllRows(join(plain.home, 'data/postern.db'))
  for (const table of ['entry', 'entry_folded', 'entry_folded_body', 'token', 'site_fact'])
    assert.deepEqual(onSqlite[table], before[table], table)
  assert.deepEqual(onSqlite['setting'], after['setting'])
  for (const table of unsaved) assert.deepEqual(onSqlite[table], [], table)
})

test('a backup made on SQLite is restored on PostgreSQL, row by row, and its site is served and searched there', async () => {
  await using plain = await openBackupSite()
  const { file } = await plain.open().then(async (site) => (await fill(site), site.backups.create({ note: null })))
  await plain.close()
  await using database = await makePostgresDatabase()
  await using at = await openBackupSite(database.url)
  await at.restore(join(plain.backups, file), { keepTokens: true })
  const before = await readAllRows(join(plain.home, 'data/postern.db'))
  const after = await readAllRows(database.url)
  for (const table of ['entry', 'entry_revision', 'entry_folded', 'entry_folded_body', 'token', 'setting', 'site_fact'])
    assert.deepEqual(after[table], before[table], table)
  const site = await at.open()
  await site.search.run()
  const { read } = site.store
  const searching = { phrases: [foldForSearch('Körper')], which: 'all', shownAfter: undefined } as const
  assert.deepEqual(await searchOf(read).count(read, [searching], 100), [20])
})

test('a restore is refused while a node has the site open, and changes nothing', async () => {
  await using database = await makePostgresDatabase()
  await using at = await openBackupSite(database.url)
  const { file } = await (await at.open()).backups.create({ note: null })
  await at.close()
  await using other = await openBackupSite(database.url)
  await other.put('data/site.key', '')
  await copyFile(join(at.home, 'data/site.key'), join(other.home, 'data/site.key'))
  await chmod(join(other.home, 'data/site.key'), 0o600)
  await other.open()
  const before = await readAllRows(database.url)
  await assert.rejects(at.restore(file), failsWith('refused', /in use: stop the service on all machines/))
  assert.deepEqual(await readAllRows(database.url), before)
  await other.close()
  await at.restore(file)
})

test('a store that has lost its share of the lock writes and reads nothing until it has the lock again, and never after a restore', async () => {
  await using database = await makePostgresDatabase()
  const address = readPostgresAddress(database.url)
  await using at = await openBackupSite(database.url)
  const { store } = await at.open()
  const write = () => store.transaction((db) => db.insertInto('site_fact').values({ name: 'late', value: '1' }).execute())
  // Other tests use databases of the same server.
  const cut = () =>
    database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'postern'`,
    )
  const enterAlone = async () => {
    for (;;) {
      await cut()
      const schema = await openSchema(address, 'exclusive').catch(() => undefined)
      if (schema) return schema
    }
  }
  const first = await enterAlone()
  await assert.rejects(write(), failsWith('unavailable', /being restored|can not be reached/))
  await assert.rejects(
    store.read.selectFrom('site_fact').selectAll().execute(),
    failsWith('unavailable', /being restored|not be reached/),
  )
  await first.close()
  await until('it writes again', () =>
    write().then(
      () => true,
      () => false,
    ),
  )

  const second = await enterAlone()
  await setMark(second, restoreMark('another'))
  await second.close()
  await until('it says so', () =>
    write().then(
      () => false,
      (error: Error) => /A backup was restored .*: restart it/.test(error.message),
    ),
  )
  await assert.rejects(store.checkWritable(), failsWith('unavailable', /A backup was restored|not be reached/))
  await at.close()
  await (await at.open()).store.write.deleteFrom('site_fact').where('name', '=', 'late').execute()
})
