// Backups elsewhere as a site sends them: when, what is pruned and checked there, what a failure leaves, and where the secret is not.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { deepTest } from '../../deep-run.ts'
import { backups } from '../../../src/actions/backup/index.ts'
import { callAction, type InputOf } from '../../../src/actions/call/call-action.ts'
import { health } from '../../../src/actions/health/index.ts'
import { databaseSettingsOf, openSite, type Site } from '../../../src/app/compose.ts'
import { sentBackups } from '../../../src/backup/elsewhere/sending.ts'
import { listBackups, writeSchedule } from '../../../src/backup/backup-store.ts'
import { readConfig } from '../../../src/base/config.ts'
import { startRecurring } from '../../../src/jobs/recurring.ts'
import { until } from '../../until.ts'
import { type BackupSite, failsWith, fill, openBackupSite, operator } from '../backup-site.ts'
import { openS3Server, type S3Server } from './s3-server.ts'

const passphrase = 'correct horse battery staple'
const hourMs = 3_600_000
const signal = new AbortController().signal

interface Opened extends AsyncDisposable {
  readonly at: BackupSite
  readonly site: Site
  readonly server: S3Server
}

/** A filled site with a passphrase and an S3 server that nothing is sent to yet. */
async function openBoth(): Promise<Opened> {
  const at = await openBackupSite()
  await at.open()
  await at.close()
  const file = join(at.folder, 'passphrase')
  await writeFile(file, passphrase, { mode: 0o600 })
  const env = { POSTERN_HOME: at.home, POSTERN_BACKUPS: at.backups, POSTERN_BACKUP_PASSPHRASE_FILE: file }
  const site = await openSite(readConfig(env), () => undefined, at.clock)
  await fill(site)
  const server = await openS3Server()
  return {
    at,
    site,
    server,
    async [Symbol.asyncDispose]() {
      await site.close()
      await server[Symbol.asyncDispose]()
      await at[Symbol.asyncDispose]()
    },
  }
}

type SetInput = InputOf<typeof backups.setTarget.input>

async function set(site: Site, { settings, secret }: S3Server, more: Partial<SetInput> = {}) {
  const { host_key: _key, key_file: _file, ...used } = settings
  return callAction(site, operator, backups.setTarget, { ...used, secret, ...more }, {}, { origin: '' })
}

/** A backup after this many hours. */
async function makeAfter({ at, site }: Opened, hours: number, note: string | null = null) {
  at.clock.at += hours * hourMs
  return site.backups.create({ note })
}

const namesThere = ({ objects }: S3Server): readonly string[] =>
  [...objects.keys()].map((key) => key.replace('of/example.org/', '')).sort()

test('a sealed backup is sent as the bytes that it is, checked there, and restored from there to the same site', async () => {
  await using both = await openBoth()
  const { at, site, server } = both
  await at.put('user-content/uploads/2026/big.bin', randomBytes(20 * 1024 ** 2))
  await set(site, server)
  const row = await site.backups.create({ note: null })
  assert.equal(await site.elsewhere.isDue(), true)
  const files = await at.files()
  assert.deepEqual(await site.elsewhere.send(signal), { sent: [row.file], pruned: [], checked: row.file })
  assert.deepEqual(await readFile(site.backups.pathOf(row)), server.objects.get(`of/example.org/${row.file}`))
  assert.equal(await site.elsewhere.isDue(), false)
  assert.deepEqual((await readdir(at.backups)).sort(), ['.lock', '.sending', row.file].sort())
  const [copy] = await site.elsewhere.list(signal)
  assert.deepEqual([copy?.name, copy?.row?.verified_at, copy?.row?.error], [row.file, at.clock.at, null])

  await at.put('user-content/uploads/2026/big.bin', 'lost')
  const path = join(at.folder, row.file)
  await writeFile(path, server.objects.get(`of/example.org/${row.file}`) ?? '')
  await site.close()
  await at.restore(path, { passphrase: async () => passphrase })
  assert.deepEqual(await at.files(), files)
  // The place stays as it is now, and no backup contains it.
  const again = await at.open()
  const { data } = await callAction(again, operator, backups.getTarget, {}, {}, { origin: '' })
  assert.equal(data?.item?.bucket, 'backups')
})

test('attack 141: the secret is in no answer, record, log, row or backup, and is asked again for another address', async () => {
  await using both = await openBoth()
  const { at, site, server } = both
  const { secret } = server
  const answer = await set(site, server)
  assert.equal(answer.failure, undefined)
  await site.elsewhere.test(signal)
  assert.deepEqual(namesThere(server), [])
  const shown = await callAction(site, operator, backups.getTarget, {}, {}, { origin: '' })
  const rows = await site.store.read.selectFrom('activity').selectAll().execute()
  const target = await site.store.read.selectFrom('backup_target').selectAll().execute()
  for (const value of [answer, shown, rows, target]) assert.ok(!JSON.stringify(value).includes(secret), JSON.stringify(value))
  assert.ok(!(await readFile(join(at.home, 'data/postern.db'))).includes(secret))
  const row = await site.backups.create({ note: null, passphrase })
  const scratch = join(at.folder, 'unpacked')
  const { unpack } = await import('../../../src/backup/unpack.ts')
  const { mkdir } = await import('node:fs/promises')
  await mkdir(scratch)
  await unpack(site.backups.pathOf(row), scratch, { passphrase })
  const database = await readFile(join(scratch, 'data/postern.db'))
  for (const text of [secret, target[0]?.secret ?? 'none']) assert.ok(!database.includes(text), text)

  const { secret: _none, ...same } = { secret, ...server.settings }
  const { host_key: _key, key_file: _file, ...input } = same
  const kept = await callAction(site, operator, backups.setTarget, { ...input, every: 'day' }, {}, { origin: '' })
  assert.equal(kept.failure, undefined)
  await site.elsewhere.test(signal)
  const other = { ...input, address: 'https://thief.example' }
  const { failure } = await callAction(site, operator, backups.setTarget, other, {}, { origin: '' })
  assert.deepEqual([failure?.code, failure?.detail.field], ['invalid', 'secret'])
})

test('without a passphrase the place is refused with a sentence, and so is every wrong setting', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await using server = await openS3Server()
  const refused = await set(site, server)
  assert.equal(refused.failure?.code, 'refused')
  assert.match(refused.failure.message, /sent only sealed, and this site has no passphrase/)
  await using both = await openBoth()
  const sftp = {
    kind: 'sftp',
    address: 'sftp://nas.example',
    user: 'me',
    host_key: `ssh-ed25519 ${'A'.repeat(60)}`,
    key_file: '/etc/key',
  } as const
  const wrong: readonly (readonly [Partial<SetInput>, string])[] = [
    [{ address: 'http://s3.example', private_network: false }, 'address'],
    [{ address: 'https://me:secret@s3.example' }, 'address'],
    [{ address: 'file:///etc/passwd' }, 'address'],
    [{ folder: '../up' }, 'folder'],
    [{ folder: 'a b' }, 'folder'],
    [{ bucket: 'Up/..' }, 'bucket'],
    [{ secret: '' }, 'secret'],
    [{ ...sftp, user: '-oProxyCommand=id' }, 'user'],
    [{ ...sftp, address: 'sftp://-oProxyCommand=id' }, 'address'],
    [{ ...sftp, host_key: '' }, 'host_key'],
    [{ ...sftp, host_key: 'ssh-ed25519 AAAA\n* ssh-rsa x' }, 'host_key'],
    [{ ...sftp, key_file: '/key" ProxyCommand=id' }, 'key_file'],
    [{ ...sftp, key_file: 'key' }, 'key_file'],
  ]
  for (const [more, field] of wrong) {
    const { failure } = await set(both.site, server, more)
    assert.deepEqual([failure?.code, failure?.detail.field], ['invalid', field], JSON.stringify(more))
  }
})

deepTest('what is there is pruned as here; what this site did not send, and what has a note, stays', async () => {
  await using both = await openBoth()
  const { at, site, server } = both
  await site.store.transaction((db) => writeSchedule(db, 'off', { daily: 1, weekly: 0, monthly: 0 }, at.clock.at))
  await set(site, server)
  const foreign = 'postern-20200101T000000Z-abcdef.tar.sealed'
  server.objects.set(`of/example.org/${foreign}`, Buffer.from('of another site'))
  server.objects.set('of/example.org/holiday.jpg', Buffer.from('a picture'))
  const noted = await makeAfter(both, 0, 'Before the redesign')
  const days = []
  for (let day = 0; day < 2; day++) {
    days.push(await makeAfter(both, 24))
    await site.elsewhere.send(signal)
  }
  const kept = days.slice(-1).map(({ file }) => file)
  assert.deepEqual(namesThere(server), [...kept, noted.file, foreign, 'holiday.jpg'].sort())
  const there = await site.elsewhere.list(signal)
  assert.deepEqual(
    there.filter(({ row }) => row).map(({ name }) => name),
    [...kept.toReversed(), noted.file],
  )
  assert.equal(there.length, 3)
})

deepTest(
  'a failure is told in the words of the server, the next try sends what is missing, and a copy that went bad is sent again',
  async () => {
    await using both = await openBoth()
    const { at, site, server } = both
    await set(site, server)
    const first = await site.backups.create({ note: null })
    server.instead = (request, response) =>
      request.method === 'PUT' &&
      Boolean(response.writeHead(403).end('<Error><Code>QuotaExceeded</Code><Message>The bucket is full</Message></Error>'))
    await assert.rejects(
      site.elsewhere.send(signal),
      failsWith('unreachable', /answered 403: QuotaExceeded: The bucket is full\.$/),
    )
    const check = async () =>
      (await callAction(site, operator, health.check, { only: ['backups-elsewhere'] }, {}, { origin: '' })).data?.items[0]
    assert.deepEqual([(await check())?.state, /The bucket is full/.test((await check())?.message ?? '')], ['warning', true])
    const second = await makeAfter(both, 1)
    server.instead = undefined
    const { sent } = await site.elsewhere.send(signal)
    assert.deepEqual(sent, [second.file, first.file])
    assert.equal((await check())?.state, 'ok')

    // Someone else's bytes under the name of a backup.
    const bytes = Buffer.from(server.objects.get(`of/example.org/${second.file}`) ?? '')
    bytes.writeUInt8((bytes[5000] ?? 0) ^ 1, 5000)
    server.objects.set(`of/example.org/${second.file}`, bytes)
    await assert.rejects(site.elsewhere.verify('latest', { signal }), failsWith('unprocessable', /its bytes differ/))
    assert.equal((await check())?.state, 'broken')
    assert.deepEqual((await site.elsewhere.send(signal)).sent, [second.file])
    assert.equal((await site.elsewhere.verify('latest', { signal })).row?.error, null)
    assert.equal((await check())?.state, 'ok')

    // A run that was killed: the copy is not listed as one, and the next run sends it.
    await site.store.write.updateTable('backup_copy').set({ sent_at: null }).where('file', '=', second.file).execute()
    server.objects.set(`of/example.org/${second.file}`, Buffer.from('half'))
    assert.deepEqual(
      (await site.elsewhere.list(signal)).filter(({ row }) => row).map(({ name }) => name),
      [first.file],
    )
    assert.deepEqual((await site.elsewhere.send(signal)).sent, [second.file])
    assert.equal(server.objects.get(`of/example.org/${second.file}`)?.length, second.bytes)
    at.clock.at += 48 * hourMs
    assert.match((await check())?.message ?? '', /is 4[89] hours old/)
  },
)

deepTest(
  'each backup is sent by the service at its next look, one a day where that is set, and an unsealed one never',
  async () => {
    await using both = await openBoth()
    const { at, site, server } = both
    const timer = startRecurring(site, () => sentBackups(site))
    const look = async () => {
      at.clock.at += 20_000
      await timer.run()
      await until('the work ends', async () => {
        const row = await site.store.read
          .selectFrom('job')
          .select('state')
          .where('name', '=', 'backup-elsewhere')
          .executeTakeFirst()
        return row?.state !== 'running'
      })
    }
    try {
      await makeAfter(both, 0)
      await look()
      assert.deepEqual(namesThere(server), [])
      await set(site, server, { every: 'day' })
      await look()
      assert.equal(namesThere(server).length, 1)
      await makeAfter(both, 3)
      await look()
      assert.equal(namesThere(server).length, 1)
      await makeAfter(both, 21)
      await look()
      assert.equal(namesThere(server).length, 2)
      const { makeArchive } = await import('../../../src/backup/backups.ts')
      const { keepBackup } = await import('../../../src/backup/backup-store.ts')
      at.clock.at += 48 * hourMs
      const parts = { home: at.home, database: databaseSettingsOf(at.config), folder: at.backups, clock: at.clock }
      const { row } = await makeArchive(parts, { note: null })
      await site.store.transaction((db) => keepBackup(db, { ...row, verified_at: at.clock.at }))
      await look()
      assert.equal(namesThere(server).length, 2)
      assert.equal((await listBackups(site.store.read))[0]?.file, row.file)
    } finally {
      await timer.stop()
    }
  },
)
