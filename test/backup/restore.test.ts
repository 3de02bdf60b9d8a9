// Restoring: the site as it was, row by row and file by file, but for who may be let in; and refused where it would do harm.

import assert from 'node:assert/strict'
import { chown, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { makeArchive } from '../../src/backup/backups.ts'
import { findLatest } from '../../src/backup/restore.ts'
import { heldTables } from '../../src/backup/carry-over.ts'
import { databaseSettingsOf, openSite, type Site } from '../../src/app/compose.ts'
import { readConfig } from '../../src/base/config.ts'
import { findSession } from '../../src/identity/session.ts'
import { readRows } from '../rows.ts'
import { failsWith, fill, openBackupSite } from './backup-site.ts'

/** What a restore itself writes: its record, and what backups there are. */
const itsOwn = ['activity', 'backup']

async function changeMuch(site: Site): Promise<void> {
  await site.store.transaction(async (db) => {
    await db.deleteFrom('entry').where('id', '=', 'entry-3').execute()
    await db.updateTable('entry').set({ body: 'overwritten' }).where('id', '=', 'entry-4').execute()
    await db
      .insertInto('setting')
      .values({ key: 'site_title', value: '"Later"', created_at: 1, updated_at: 1, revision: 1 })
      .execute()
  })
}

test('a restored site is the saved one row by row and file by file, with its modes, and the one before is saved', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await fill(site)
  await at.put('user-content/uploads/a.png', 'first')
  await at.put('user-content/uploads/deep/er/b.txt', '')
  await at.put('user-content/themes/own/page.liquid', '{{ title }}')
  await utimes(join(at.home, 'user-content/uploads/a.png'), 1_700_000_000, 1_700_000_000)
  const row = await site.backups.create({ note: null })
  const files = await at.files()
  await at.close()
  const rows = await readRows(at.home, itsOwn)

  await changeMuch(await at.open())
  await at.put('user-content/uploads/a.png', 'second')
  await at.put('user-content/uploads/later.png', 'later')
  await rm(join(at.home, 'user-content/themes/own'), { recursive: true })
  await at.close()
  const changed = await readRows(at.home, itsOwn)
  at.clock.at += 60_000
  const { manifest, saved, carried } = await at.restore(row.file)

  assert.deepEqual(await readRows(at.home, itsOwn), rows)
  assert.deepEqual(await at.files(), files)
  assert.deepEqual([manifest.id, carried], [row.id, { unknown: null, tokens: 0, apps: 0, plugins: [] }])
  assert.equal((await stat(join(at.home, 'user-content/uploads/a.png'))).mtimeMs, 1_700_000_000_000)
  const modeOf = async (path: string) => ((await stat(join(at.home, path))).mode & 0o777).toString(8)
  const modes = ['data', 'data/postern.db', 'data/site.key', 'user-content/uploads', 'user-content/uploads/a.png'].map(modeOf)
  assert.deepEqual(await Promise.all(modes), ['700', '600', '600', '755', '644'])
  assert.ok(!(await readdir(at.home)).includes('.restore'))
  const database = await at.open()
  const { rows: mode } = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(database.store.write)
  assert.equal(mode[0]?.journal_mode, 'wal')
  const listed = await database.store.read.selectFrom('backup').selectAll().execute()
  assert.deepEqual(new Set(listed.map(({ id }) => id)), new Set([row.id, saved?.id]))
  const [record] = await database.store.read.selectFrom('activity').selectAll().execute()
  assert.deepEqual([record?.call, record?.door, record?.effect], ['SVC_Backup.restore', 'cli', 'destroy'])
  await at.close()

  assert.equal(await findLatest(at.backups), row.file)
  await at.restore(saved?.file ?? '')
  assert.deepEqual(await readRows(at.home, itsOwn), changed)
})

test('attack 122: an old backup revives no token, app, code, refresh token, session, link, right, account or password', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await fill(site)
  const row = await site.backups.create({ note: null })
  const now = (at.clock.at += 60_000)
  await site.store.transaction(async (db) => {
    for (const table of ['token', 'app_grant'] as const) {
      await db.updateTable(table).set({ revoked_at: now }).where('id', '=', 'ends').execute()
      await db.updateTable(table).set({ limits: '{"drafts_only":true}' }).where('id', '=', 'stays').execute()
      await db.deleteFrom(table).where('id', '=', 'goes').execute()
    }
    await db.updateTable('session').set({ ended_at: now }).where('id', '=', 'ends').execute()
    await db.deleteFrom('session').where('id', '=', 'goes').execute()
    for (const table of ['auth_code', 'refresh_token', 'one_time_link'] as const) {
      await db.updateTable(table).set({ used_at: now }).where('hash', '=', 'ends').execute()
      await db.deleteFrom(table).where('hash', '=', 'goes').execute()
    }
    await db.deleteFrom('access_token').where('hash', '=', 'goes').execute()
    await db
      .insertInto('consent_answer')
      .values({ id: 'answered', expires_at: now + 1000 })
      .execute()
    await db.updateTable('account').set({ password_hash: 'two', epoch: 1 }).where('id', '=', 'owner').execute()
    await db.updateTable('account').set({ role: 'read', disabled: 1 }).where('id', '=', 'editor').execute()
  })
  await at.close()
  const { carried } = await at.restore(row.file)
  const { store } = await at.open()

  const ended = async (table: 'token' | 'app_grant') =>
    (await store.read.selectFrom(table).selectAll().orderBy('id').execute()).map((one) => [
      one.id,
      one.revoked_at !== null,
      one.limits,
    ])
  const revoked = [
    ['ends', true, '{}'],
    ['goes', true, '{}'],
    ['stays', false, '{"drafts_only":true}'],
  ]
  assert.deepEqual(await ended('token'), revoked)
  assert.deepEqual(await ended('app_grant'), revoked)
  const sessions = await store.read.selectFrom('session').selectAll().orderBy('id').execute()
  assert.deepEqual(
    sessions.map(({ id, ended_at: endedAt }) => [id, endedAt !== null]),
    [
      ['ends', true],
      ['stays', false],
    ],
  )
  for (const { id } of sessions) assert.equal(await findSession(store.read, id, now), undefined, 'the epoch counted up')
  const used = async (table: 'auth_code' | 'refresh_token' | 'one_time_link') =>
    (await store.read.selectFrom(table).select(['hash', 'used_at']).orderBy('hash').execute()).map((one) => [
      one.hash,
      one.used_at,
    ])
  for (const table of ['auth_code', 'refresh_token', 'one_time_link'] as const)
    assert.deepEqual(await used(table), [
      ['ends', now],
      ['stays', null],
    ])
  assert.equal((await store.read.selectFrom('access_token').selectAll().execute()).length, 2)
  assert.equal((await store.read.selectFrom('consent_answer').selectAll().execute()).length, 1)
  const accounts = await store.read.selectFrom('account').selectAll().orderBy('id').execute()
  assert.deepEqual(
    accounts.map((one) => [one.id, one.role, one.disabled, one.password_hash, one.epoch]),
    [
      ['editor', 'read', 1, 'one', 0],
      ['owner', 'admin', 0, 'two', 1],
    ],
  )
  assert.deepEqual([carried.unknown, carried.tokens, carried.apps], [null, 2, 3])
})

test('attack 122: a clock that was set back, and an old backup, leave what has expired expired', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await fill(site)
  await site.store.write
    .updateTable('token')
    .set({ expires_at: at.clock.at + 30 * 60_000 })
    .where('id', '=', 'stays')
    .execute()
  const row = await site.backups.create({ note: null })
  await at.close()
  at.clock.at += 45 * 60_000
  await at.restore(row.file)
  at.clock.at -= 40 * 60_000
  const { tokens } = await at.open()
  assert.ok(tokens.now() > at.clock.at + 30 * 60_000)
})

const unknownRows: readonly { rule: string; spoil: (home: string) => Promise<void>; save: boolean; unknown: RegExp }[] = [
  { rule: 'no home at all', spoil: (home) => rm(home, { recursive: true }), save: true, unknown: /there was no site/ },
  {
    rule: 'a database that is none',
    spoil: (home) => writeFile(join(home, 'data/postern.db'), 'x'.repeat(8192)),
    save: false,
    unknown: /can't be read/,
  },
  {
    rule: 'another site’s database',
    spoil: async (home) => {
      await rm(home, { recursive: true })
      await (await openSite(readConfig({ POSTERN_HOME: home }), () => undefined)).close()
    },
    save: true,
    unknown: /another site's/,
  },
]
for (const { rule, spoil, save, unknown } of unknownRows) {
  for (const keepTokens of [false, true]) {
    test(`attack 122: with ${rule} to compare with all sessions, apps and links end, tokens ${keepTokens ? 'stay when the operator says so' : 'too'}`, async () => {
      await using at = await openBackupSite()
      await fill(await at.open())
      const row = await (await at.open()).backups.create({ note: null })
      await at.close()
      await spoil(at.home)
      const { carried } = await at.restore(row.file, { save, keepTokens })
      const { store } = await at.open()
      assert.match(carried.unknown ?? '', unknown)
      assert.deepEqual([carried.tokens, carried.apps], [keepTokens ? 0 : 3, 3])
      const accounts = await store.read.selectFrom('account').select(['epoch', 'disabled', 'password_hash']).execute()
      assert.deepEqual(
        new Set(accounts.map((one) => JSON.stringify(one))),
        new Set(['{"epoch":1,"disabled":0,"password_hash":"one"}']),
      )
      assert.deepEqual(await store.read.selectFrom('one_time_link').selectAll().execute(), [])
      assert.equal((await store.read.selectFrom('entry').select('id').execute()).length, 20)
    })
  }
}

test('what is there and can’t be saved is not replaced, unless that was asked for', async () => {
  await using at = await openBackupSite()
  await fill(await at.open())
  const row = await (await at.open()).backups.create({ note: null })
  await at.close()
  await writeFile(join(at.home, 'data/postern.db'), 'no database '.repeat(1000))
  await assert.rejects(at.restore(row.file), failsWith('refused', /can't be saved first.*Nothing was changed/s))
  assert.ok(!(await readdir(at.home)).includes('.restore'))
  await at.restore(row.file, { save: false })
  await at.open()
})

test('a restore refuses while anybody has the site open, and changes nothing', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await fill(site)
  const row = await site.backups.create({ note: null })
  await assert.rejects(at.restore(row.file), failsWith('refused', /in use: stop the service/))
  assert.deepEqual((await readdir(at.home)).sort(), ['data', 'user-content'])
})

test('a backup of a newer schema, or without its key, is refused and changes nothing', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await fill(site)
  const good = await site.backups.create({ note: null })
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later-contract', '2030-01-01')`.execute(site.store.write)
  const newer = join(at.folder, 'newer.tar')
  const passphrase = 'a passphrase of its own'
  await assert.rejects(site.backups.create({ note: null, out: newer, passphrase }), failsWith('failed', /newer than this code/))
  await sql`delete from kysely_migration where name = '9999-later-contract'`.execute(site.store.write)
  await at.close()
  const rows = await readRows(at.home)
  await assert.rejects(at.restore(newer, { passphrase: async () => passphrase }), failsWith('refused', /newer than this code/))
  assert.deepEqual(await readRows(at.home), rows)

  await rm(join(at.home, 'data/site.key'))
  const keyless = join(at.folder, 'keyless.tar')
  await makeArchive(
    { home: at.home, database: databaseSettingsOf(at.config), folder: at.backups, clock: at.clock },
    {
      note: null,
      out: keyless,
    },
  )
  await assert.rejects(at.restore(keyless), failsWith('refused', /key .* is lost/))
  await at.restore(good.file)
  await at.open()
})

const notRoot = process.geteuid?.() !== 0 && 'only root can give files to another user'

test('what root restores or saves in another’s home is that one’s', { skip: notRoot }, async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await fill(site)
  await at.put('user-content/uploads/deep/er/b.txt', 'b')
  const { file } = await site.backups.create({ note: null })
  await at.close()
  const nobody = 65_534
  const all = async () => [at.home, ...(await readdir(at.folder, { recursive: true })).map((name) => join(at.folder, name))]
  for (const path of await all()) await chown(path, nobody, nobody)
  await at.restore(file)
  const strangers: string[] = []
  for (const path of await all()) if ((await stat(path)).uid !== nobody) strangers.push(path)
  assert.deepEqual(strangers, [])
})

test('every table that keeps a credential, or its use, is held against the standing one', async () => {
  await using at = await openBackupSite()
  const { store } = await at.open()
  const { rows } = await sql<{
    table: string
  }>`select distinct t.name as "table" from sqlite_schema t, pragma_table_info(t.name) c
    where t.type = 'table' and c.name in ('hash', 'password_hash', 'used_at', 'revoked_at', 'ended_at', 'epoch')`.execute(
    store.read,
  )
  assert.deepEqual(
    // The password of a page is content, and comes back with the page.
    rows.map(({ table }) => table).filter((table) => table !== 'entry' && !heldTables.has(table)),
    [],
  )
})
