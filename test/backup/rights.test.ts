// What a restore may not do: give anybody more than they had before it, whatever has changed since the backup and whatever was done to its file.

import assert from 'node:assert/strict'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Site } from '../../src/app/compose.ts'
import { createSiteKey } from '../../src/identity/site-key.ts'
import { hashSecret, mintToken } from '../../src/identity/token-store.ts'
import { bundledPlugins } from '../../src/plugins/bundled.ts'
import { freshRow } from '../../src/plugins/plugin-store.ts'
import { hashFolder } from '../../src/plugins/stage-package.ts'
import type { PluginRow } from '../../src/store/core/schema.ts'
import { isDeep } from '../deep-run.ts'
import { readRows } from '../rows.ts'
import { type BackupSite, failsWith, fill, openBackupSite } from './backup-site.ts'
import { runSql, tamper, type Tampering } from './tamper.ts'

const times = { created_at: 1, updated_at: 1, revision: 1 }
const shop = {
  id: 'shop',
  name: 'Shop',
  version: '1.0.0',
  main: 'index.js',
  description: '',
  may: ['call:SVC_Content.get'],
  settings: {},
}

/** The rows of two plugins that run: the bridge with a key, and one whose files lie in the home. */
async function addPlugins(at: BackupSite, site: Site): Promise<void> {
  await at.put('user-content/plugins/shop/files/plugin.json', JSON.stringify(shop))
  await at.put('user-content/plugins/shop/files/index.js', 'export default () => {}\n')
  const hash = await hashFolder(join(at.home, 'user-content/plugins/shop/files'))
  for (const name of ['plugin.json', 'index.js'])
    await at.put(
      `user-content/plugins/shop/${hash}/${name}`,
      await readFile(join(at.home, 'user-content/plugins/shop/files', name)),
    )
  await rm(join(at.home, 'user-content/plugins/shop/files'), { recursive: true })
  const bridge = bundledPlugins().get('legacy-bridge')?.manifest
  assert.ok(bridge)
  const rows = [
    {
      ...freshRow({ id: 'legacy-bridge', version: bridge.version, package: '', manifest: bridge, signer: null }),
      may: '["authenticate"]',
    },
    { ...freshRow({ id: 'shop', version: '1.0.0', package: hash, manifest: shop, signer: null }), may: JSON.stringify(shop.may) },
  ]
  for (const row of rows)
    await site.store.write
      .insertInto('plugin')
      .values({ ...row, ...times, state: 'active', settings: '{"scope":"content"}', secrets: '{"api_key":"the old key"}' })
      .execute()
}

const pluginsOf = async (site: Site): Promise<Readonly<Record<string, PluginRow>>> =>
  Object.fromEntries((await site.store.read.selectFrom('plugin').selectAll().execute()).map((row) => [row.id, row]))

test('attack 138: whoever is in both keeps the lower of both: scope, limits, role, address, password and end', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await fill(site)
  const minted = mintToken()
  await site.store.write
    .updateTable('token')
    .set({ hash: minted.hash, limits: '{"classes":["SVC_Content","SVC_Docs"],"per_minute":50}' })
    .where('id', '=', 'stays')
    .execute()
  const { file } = await site.backups.create({ note: null })
  await site.store.transaction(async (db) => {
    await db
      .updateTable('app_grant')
      .set({ scope: 'content', limits: '{"drafts_only":true}' })
      .where('id', '=', 'stays')
      .execute()
    const limits = '{"classes":["SVC_Docs","SVC_Backup"],"addresses":["10.0.0.0/8"],"per_minute":100}'
    await db
      .updateTable('token')
      .set({ limits, expires_at: at.clock.at + 1000 })
      .where('id', '=', 'stays')
      .execute()
    await db
      .updateTable('account')
      .set({ role: 'read', email: 'new@example.org', password_hash: 'two' })
      .where('id', '=', 'editor')
      .execute()
    await db.updateTable('account').set({ disabled: 1 }).where('id', '=', 'owner').execute()
  })
  await at.close()
  await at.restore(file)
  const { store } = await at.open()
  const app = await store.read.selectFrom('app_grant').selectAll().where('id', '=', 'stays').executeTakeFirstOrThrow()
  assert.deepEqual([app.scope, app.limits], ['content', '{"drafts_only":true}'])
  const token = await store.read.selectFrom('token').selectAll().where('id', '=', 'stays').executeTakeFirstOrThrow()
  assert.deepEqual(JSON.parse(token.limits), { classes: ['SVC_Docs'], addresses: ['10.0.0.0/8'], per_minute: 50 })
  assert.deepEqual([token.hash, token.expires_at], [minted.hash, at.clock.at + 1000])
  const accounts = await store.read.selectFrom('account').selectAll().orderBy('id').execute()
  assert.deepEqual(
    accounts.map((one) => [one.id, one.email, one.role, one.disabled, one.password_hash]),
    [
      ['editor', 'new@example.org', 'read', 0, 'two'],
      ['owner', 'owner@example.org', 'admin', 1, 'one'],
    ],
  )
})

test('attack 138: an account that is gone has no password any more, and leaves its address to whoever has it now', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await fill(site)
  const { file } = await site.backups.create({ note: null })
  await site.store.transaction(async (db) => {
    await db.deleteFrom('account').where('id', '=', 'editor').execute()
    await db.updateTable('account').set({ email: 'editor@example.org' }).where('id', '=', 'owner').execute()
  })
  await at.close()
  await at.restore(file)
  const accounts = await (await at.open()).store.read.selectFrom('account').selectAll().orderBy('id').execute()
  assert.deepEqual(
    accounts.map((one) => [one.id, one.email, one.disabled, one.password_hash]),
    [
      ['editor', 'editor was editor@example.org', 1, null],
      ['owner', 'editor@example.org', 0, 'one'],
    ],
  )
})

const changes: readonly { rule: string; since: Partial<PluginRow>; id: string; after: readonly unknown[]; stopped: boolean }[] = [
  {
    rule: 'whose key was replaced',
    id: 'legacy-bridge',
    since: { secrets: '{"api_key":"new"}' },
    after: ['active', '{"api_key":"new"}'],
    stopped: false,
  },
  {
    rule: 'that was deactivated',
    id: 'legacy-bridge',
    since: { state: 'inactive' },
    after: ['inactive', '{"api_key":"the old key"}'],
    stopped: true,
  },
  {
    rule: 'that was quarantined',
    id: 'shop',
    since: { state: 'quarantined', reason: 'It crashed' },
    after: ['quarantined', '{"api_key":"the old key"}'],
    stopped: true,
  },
  {
    rule: 'with other rights',
    id: 'shop',
    since: { may: '[]' },
    after: ['inactive', '{"api_key":"the old key"}'],
    stopped: true,
  },
  {
    rule: 'with other files',
    id: 'shop',
    since: { package: 'other' },
    after: ['inactive', '{"api_key":"the old key"}'],
    stopped: true,
  },
  {
    rule: 'signed by somebody else',
    id: 'shop',
    since: { signer: 'other' },
    after: ['inactive', '{"api_key":"the old key"}'],
    stopped: true,
  },
]
// A usual run has one that stays active, and one that is stopped.
for (const { rule, id, since, after, stopped } of changes.filter((_, place) => isDeep || place % 3 === 0)) {
  test(`attack 138: a plugin ${rule} since the backup comes back ${after[0] as string}, with the key of now`, async () => {
    await using at = await openBackupSite()
    const site = await at.open()
    await addPlugins(at, site)
    const { file } = await site.backups.create({ note: null })
    await site.store.write.updateTable('plugin').set(since).where('id', '=', id).execute()
    await at.close()
    const { carried } = await at.restore(file)
    const { [id]: row, ...others } = await pluginsOf(await at.open())
    assert.deepEqual([row?.state, row?.secrets], after)
    assert.deepEqual(
      Object.values(others).map(({ state }) => state),
      ['active'],
    )
    assert.deepEqual(carried.plugins, stopped ? [id] : [])
  })
}

test('attack 138: a plugin that is gone comes back inactive, without rights and without its key; so does every one where nothing can be compared', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await addPlugins(at, site)
  const { file } = await site.backups.create({ note: null })
  await site.store.write.deleteFrom('plugin').where('id', '=', 'legacy-bridge').execute()
  await at.close()
  assert.deepEqual((await at.restore(file)).carried.plugins, ['legacy-bridge'])
  const { 'legacy-bridge': bridge } = await pluginsOf(await at.open())
  assert.deepEqual([bridge?.state, bridge?.may, bridge?.secrets], ['inactive', '[]', '{}'])
  await at.close()
  await rm(at.home, { recursive: true })
  assert.deepEqual((await at.restore(file)).carried.plugins, ['legacy-bridge', 'shop'])
  for (const { state, may } of Object.values(await pluginsOf(await at.open()))) assert.deepEqual([state, may], ['inactive', '[]'])
})

test('attack 138: the web origins that may call, and a site that is closed, are those of now', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  const set = (key: string, value: unknown) =>
    site.store.write
      .insertInto('setting')
      .values({ key, value: JSON.stringify(value), ...times })
      .onConflict((on) => on.column('key').doUpdateSet({ value: JSON.stringify(value) }))
      .execute()
  await set('mcp_origins', ['http://old.example'])
  await set('site_title', 'Then')
  const { file } = await site.backups.create({ note: null })
  await set('mcp_origins', ['https://now.example'])
  await set('site_title', 'Now')
  await set('maintenance', { message: 'Closed', until: null })
  await at.close()
  await at.restore(file)
  const rows = await (await at.open()).store.read.selectFrom('setting').select(['key', 'value']).orderBy('key').execute()
  assert.deepEqual(
    rows.map(({ key, value }) => [key, JSON.parse(value)]),
    [
      ['maintenance', { message: 'Closed', until: null }],
      ['mcp_origins', ['https://now.example']],
      ['site_title', 'Then'],
    ],
  )
})

test('attack 138: a key that was replaced since stays replaced', async () => {
  await using at = await openBackupSite()
  const { file } = await (await at.open()).backups.create({ note: null })
  await at.close()
  const path = join(at.home, 'data/site.key')
  const rotated = Buffer.concat([Buffer.alloc(32, 7), await readFile(path)])
  await writeFile(path, rotated)
  await at.restore(file)
  assert.deepEqual(await readFile(path), rotated)
  await at.open()
})

test('a restore leaves people signed in and apps connected: what is good once comes from the site as it stands', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await fill(site)
  const { file } = await site.backups.create({ note: null })
  await site.store.transaction(async (db) => {
    await db.insertInto('refresh_token').values({ hash: 'since', grant_id: 'stays', used_at: null }).execute()
    await db
      .insertInto('access_token')
      .values({ hash: hashSecret('since'), grant_id: 'stays', scope: 'content', expires_at: at.clock.at + 1000 })
      .execute()
    const session = {
      account_id: 'owner',
      epoch: 0,
      created_at: 1,
      seen_at: 1,
      authenticated_at: 1,
      ended_at: null,
      address: null,
      agent: null,
    }
    await db
      .insertInto('session')
      .values({ id: 'since', ...session })
      .execute()
  })
  await at.close()
  const tables = ['session', 'auth_code', 'access_token', 'refresh_token', 'one_time_link', 'consent_answer', 'sign_in_attempt']
  const all = async () => Object.entries(await readRows(at.home)).filter(([table]) => tables.includes(table))
  const before = await all()
  assert.equal(before.length, tables.length)
  await at.restore(file)
  assert.deepEqual(await all(), before)
})

/** Restores a changed backup over its own site. */
async function restoreChanged(at: BackupSite, tampering: Tampering): Promise<Site> {
  const site = await at.open()
  await fill(site)
  await addPlugins(at, site)
  const row = await site.backups.create({ note: null })
  await at.close()
  await at.restore(await tamper(join(at.backups, row.file), join(at.folder, 'changed.tar'), tampering))
  return at.open()
}

const strange = /^This backup is of no use: its database holds the (\w+) "\w+", which is not part of Postern/
const hostile: readonly { rule: string; tampering: Tampering; words: RegExp }[] = [
  {
    rule: 'a token’s secret is another',
    tampering: { sql: ["update token set hash = 'mine' where id = 'stays'"] },
    words: /^The token stays in this backup is not the one of this site: its secret/,
  },
  {
    rule: 'a token’s scope is another',
    tampering: { sql: ["update token set scope = 'read' where id = 'stays'"] },
    words: /^The token stays .* its scope was changed in the file\. Nothing was changed\.$/,
  },
  {
    rule: 'a token is another account’s',
    tampering: { sql: ["update token set account_id = 'editor' where id = 'stays'"] },
    words: /^The token stays .* its account/,
  },
  {
    rule: 'an app’s client is another',
    tampering: { sql: ["update app_grant set client_hash = 'mine' where id = 'stays'"] },
    words: /^The app stays .* its client/,
  },
  {
    rule: 'an app is another account’s',
    tampering: { sql: ["update app_grant set account_id = 'editor' where id = 'stays'"] },
    words: /^The app stays .* its account/,
  },
  {
    rule: 'the limits of a token are no limits',
    tampering: { sql: ["update token set limits = '7' where id = 'stays'"] },
    words: /limits of stays in it are damaged/,
  },
  {
    rule: 'a record is none',
    tampering: {
      sql: [
        "insert into activity select 'zz', 1, null, null, 'x', null, 'cli', '', 'x', '[]', 'any', 'write', 'x', '{}', '{', null, null, null, null, null, null",
      ],
    },
    words: /activity record zz is damaged/,
  },
  {
    rule: 'there is a trigger',
    tampering: { sql: ["create trigger evil after insert on session begin update account set role = 'admin'; end"] },
    words: strange,
  },
  { rule: 'there is a view', tampering: { sql: ['create view evil as select * from account'] }, words: strange },
  {
    rule: 'a view stands in a table’s place',
    tampering: { sql: ['drop table consent_answer', 'create view consent_answer as select id, 1 as expires_at from account'] },
    words: strange,
  },
  { rule: 'there is a table of a stranger’s', tampering: { sql: ['create table evil (id text)'] }, words: strange },
  { rule: 'there is a virtual table', tampering: { sql: ['create virtual table evil using fts5(x)'] }, words: strange },
  {
    rule: 'there is an index of a stranger’s',
    tampering: { sql: ['create unique index evil on account (name)'] },
    words: strange,
  },
  {
    rule: 'a table has a column more',
    tampering: { sql: ["alter table account add column evil text default 'x'"] },
    words: strange,
  },
  { rule: 'a table is missing', tampering: { sql: ['drop table sign_in_attempt'] }, words: /lacks the table sign_in_attempt/ },
  { rule: 'an index is missing', tampering: { sql: ['drop index backup_created'] }, words: /lacks the index backup_created/ },
  {
    rule: 'a migration that came before others is missing',
    tampering: { sql: ["delete from kysely_migration where name like '0002%'"] },
    words: /don’t follow each other/,
  },
  {
    rule: 'a file lies where there is a folder',
    tampering: {
      files: async (folder) => {
        await writeFile(join(folder, 'user-content/uploads/a'), 'file')
        await writeFile(join(folder, 'user-content/uploads/a-b'), 'below')
      },
    },
    words: /"user-content\/uploads\/a" is a file in this backup and a folder as well: nothing was unpacked/,
  },
  {
    rule: 'there is another key',
    tampering: { files: (folder) => writeFile(join(folder, 'data/evil.key'), 'x') },
    words: /"data\/evil\.key" has no place/,
  },
]
/** One site for all of them, as none of them may touch it. */
let untouched: BackupSite
let good = ''
before(async () => {
  untouched = await openBackupSite()
  const site = await untouched.open()
  await fill(site)
  await untouched.put('user-content/uploads/kept.txt', 'kept')
  good = (await site.backups.create({ note: null })).file
  await untouched.close()
})
after(() => untouched[Symbol.asyncDispose]())

// All of them in a deep run, and every third in a usual one.
for (const { rule, tampering, words } of hostile.filter((_, place) => isDeep || place % 3 === 0)) {
  test(`attack 139: a backup in which ${rule} is refused by name, and nothing is touched`, async () => {
    const at = untouched
    const [rows, files] = [await readRows(at.home), await at.files()]
    const path = join(at.folder, 'changed.tar')
    await rm(path, { force: true })
    const changed = await tamper(join(at.backups, good), path, tampering)
    if (rule === 'a file lies where there is a folder') {
      // No file system holds both: the path is changed in the archive itself, with one as long.
      const text = (await readFile(changed)).toString('latin1')
      await writeFile(changed, refit(text.replaceAll('uploads/a-b', 'uploads/a/b')), 'latin1')
    }
    await assert.rejects(at.restore(changed), failsWith('unprocessable', words))
    assert.deepEqual([await readRows(at.home), await at.files()], [rows, files])
    assert.deepEqual(await at.backupNames(), [good], 'nothing was saved for it either')
  })
}

/** The sums of tar headers, set right again. */
function refit(text: string): string {
  const bytes = Buffer.from(text, 'latin1')
  for (let at = 0; at + 512 <= bytes.length; at += 512) {
    if (bytes.toString('latin1', at + 257, at + 262) !== 'ustar') continue
    bytes.write('        ', at + 148)
    const sum = bytes.subarray(at, at + 512).reduce((all, byte) => all + byte, 0)
    bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, at + 148)
  }
  return bytes.toString('latin1')
}

test('attack 139: accounts, apps, tokens, plugins and sessions that somebody put into a backup let nobody in', async () => {
  await using at = await openBackupSite()
  const mine = mintToken()
  const site = await restoreChanged(at, {
    sql: [
      `insert into account (id, email, name, role, password_hash, disabled, epoch, created_at, updated_at, revision)
        select 'evil', 'evil@example.org', 'x', 'admin', 'known', 0, 0, 1, 1, 1`,
      `insert into totp select 'owner', 'known', 0, 1`,
      `insert into passkey select 'known', 'owner', 'x', 'example.org', 'known', 0, '[]', 1, null`,
      `insert into recovery_code select 'known', 'owner', null`,
      `update account set password_hash = 'known', epoch = 0 where id = 'owner'`,
      `update account set email = 'mine@example.org' where id = 'owner'`,
      `insert into token select 'evil', 'owner', '${mine.hash}', 'x', 'admin', '{}', null, null, 1, 1, 1`,
      `insert into session select 'evil', 'owner', 0, 1, 1, 1, null, null, null`,
      `insert into refresh_token select 'evil', 'stays', null`,
      `insert into access_token select '${hashSecret('evil')}', 'stays', 'admin', 99999999999999`,
      `insert into one_time_link select 'evil', 'owner', 0, 99999999999999, null`,
      `update plugin set may = '["call:SVC_Content.*"]', secrets = '{"api_key":"known"}', settings = '{"scope":"admin"}'`,
      `insert into backup select 'evil', '../home/data/site.key', 1, 1, 'x', null, '1', 'x', null, null, null`,
      `insert into setting select 'mcp_origins', '["http://evil.example"]', 1, 1, 1`,
    ],
  })
  const { read } = site.store
  const accounts = await read.selectFrom('account').selectAll().orderBy('id').execute()
  assert.deepEqual(
    accounts.map((one) => [one.id, one.email, one.disabled, one.password_hash]),
    [
      ['editor', 'editor@example.org', 0, 'one'],
      ['evil', 'evil@example.org', 1, null],
      ['owner', 'owner@example.org', 0, 'one'],
    ],
  )
  assert.equal(await site.tokens.authenticate(mine.secret, 'api', '127.0.0.1'), undefined)
  for (const table of ['session', 'refresh_token', 'one_time_link', 'access_token'] as const) {
    const rows: readonly object[] = await read.selectFrom(table).selectAll().execute()
    assert.deepEqual([rows.length, JSON.stringify(rows).includes('evil')], [3, false], table)
  }
  for (const table of ['totp', 'passkey', 'recovery_code'] as const)
    assert.deepEqual(await read.selectFrom(table).selectAll().execute(), [], table)
  assert.deepEqual(
    accounts.map(({ second_factor: second }) => second),
    [0, 0, 0],
  )
  for (const { state, secrets, settings } of Object.values(await pluginsOf(site)))
    assert.deepEqual([state, secrets, settings], ['inactive', '{"api_key":"the old key"}', '{"scope":"content"}'])
  assert.ok((await read.selectFrom('backup').select('file').execute()).every(({ file }) => !file.includes('..')))
  assert.deepEqual(await read.selectFrom('setting').selectAll().execute(), [])
})

test('attack 139: plugins whose files were changed in the backup come back inactive', async () => {
  await using at = await openBackupSite()
  let folder = ''
  const site = await restoreChanged(at, {
    files: async (home) => {
      folder = (await readdir(join(home, 'user-content/plugins/shop')))[0] ?? ''
      await writeFile(join(home, 'user-content/plugins/shop', folder, 'index.js'), 'evil()\n')
    },
  })
  const { shop: row, 'legacy-bridge': bridge } = await pluginsOf(site)
  assert.deepEqual([row?.package, row?.state, row?.may, bridge?.state], [folder, 'inactive', '[]', 'active'])
})

test('attack 139: a secret put before the site’s own key does not become its key', async () => {
  await using at = await openBackupSite()
  const path = join(at.home, 'data/site.key')
  await at.open()
  const before = createSiteKey(await readFile(path)).derive('session')
  await restoreChanged(at, {
    files: async (home) => {
      const own = await readFile(join(home, 'data/site.key'))
      await writeFile(join(home, 'data/site.key'), Buffer.concat([Buffer.alloc(32, 1), own]))
    },
  })
  assert.deepEqual(createSiteKey(await readFile(path)).derive('session'), before)
})

test('attack 139: a record that claims a lower tier than its change needs is an admin’s to undo', async () => {
  await using at = await openBackupSite()
  const record = (id: string, changes: string) =>
    `insert into activity select '${id}', 1, null, null, 'x', null, 'cli', '', 'x', '["SVC_Content.update"]', 'any', 'write', 'x', '{}', '${changes}', null, null, null, null, null, null`
  const site = await restoreChanged(at, {
    sql: [
      record('a', '[{"kind":"account","id":"editor","before":{"role":"admin"},"after":{"role":"read"}}]'),
      record('b', '[{"kind":"entry","kind":"token","id":"stays"}]'),
      record('c', '[{"kind":"entry","id":"entry-1"},{"kind":"former_path","id":"/x"}]'),
      record('d', '[{"kind":"ent\\u0072y","id":"entry-1"},{"kind":"setting","id":"home"}]'),
      record('e', '[]'),
    ],
  })
  const rows = await site.store.read.selectFrom('activity').select(['id', 'tier']).where('at', '=', 1).orderBy('id').execute()
  assert.deepEqual(
    rows.map(({ id, tier }) => [id, tier]),
    [
      ['a', 'admin'],
      ['b', 'admin'],
      ['c', 'content'],
      ['d', 'admin'],
      ['e', 'any'],
    ],
  )
})

test('attack 139: a backup that leaves nobody in it does not open the site to be set up by somebody else', async () => {
  await using at = await openBackupSite()
  const site = await restoreChanged(at, {
    sql: ['delete from account', 'delete from token', 'delete from app_grant', "delete from site_fact where name = 'set_up_by'"],
  })
  const facts = await site.store.read.selectFrom('site_fact').selectAll().where('name', '=', 'set_up_by').execute()
  assert.equal(facts.length, 1)
  assert.deepEqual(await site.store.read.selectFrom('session').selectAll().execute(), [])
})

test('attack 139: a backup that passes for another site’s takes the place of one with accounts only when told', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await fill(site)
  const row = await site.backups.create({ note: null })
  await at.close()
  const key = Buffer.alloc(32, 9)
  const fingerprint = createSiteKey(key).derive('fingerprint').toString('base64url')
  const foreign = await tamper(join(at.backups, row.file), join(at.folder, 'foreign.tar'), {
    sql: [
      `update site_fact set value = '${fingerprint}' where name = 'key_fingerprint'`,
      "update account set password_hash = 'known'",
    ],
    files: (home) => writeFile(join(home, 'data/site.key'), key),
  })
  const rows = await readRows(at.home)
  await assert.rejects(at.restore(foreign), failsWith('refused', /of another site than the one that is here, which has accounts/))
  assert.deepEqual(await readRows(at.home), rows)
  assert.match((await at.restore(foreign, { otherSite: true })).carried.unknown ?? '', /another site's/)
})

test('a backup of a later schema is restored where the site has that schema too, and nowhere else', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await fill(site)
  await at.close()
  const later = [
    "insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')",
    'create table later (id text)',
  ]
  await runSql(join(at.home, 'data/postern.db'), later)
  const { file } = await (await at.open()).backups.create({ note: null })
  await at.close()
  await at.restore(file)
  const evil = await tamper(join(at.backups, file), join(at.folder, 'evil.tar'), { sql: ['create table evil (id text)'] })
  await assert.rejects(at.restore(evil), failsWith('unprocessable', strange))
  const trigger = 'create trigger evil after insert on later begin delete from account; end'
  const withTrigger = await tamper(join(at.backups, file), join(at.folder, 'trigger.tar'), { sql: [trigger] })
  await assert.rejects((await at.open()).backups.verifyFile(withTrigger), failsWith('unprocessable', strange))
  await at.close()
  await rm(at.home, { recursive: true })
  await assert.rejects(at.restore(file), failsWith('refused', /newer than this code: its database has the migration 9999-later/))
})
