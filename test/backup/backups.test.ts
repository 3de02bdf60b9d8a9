// Making backups and trying them: what is in one, who may read it, what a killed run leaves, and that writes go on meanwhile.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { findBackup, findGood, forgetBackup, keepBackup, listBackups, readSchedule } from '../../src/backup/backup-store.ts'
import { readManifest } from '../../src/backup/unpack.ts'
import { type BackupWork, workHere } from '../../src/backup/work.ts'
import { createTrySite, openSite } from '../../src/app/compose.ts'
import { lockFile } from '../../src/store/core/file-lock.ts'
import { failsWith, fill, openBackupSite } from './backup-site.ts'

const longName = `${'é'.repeat(60)}.png`

test('a backup holds the database with its latest rows, the key and every file, in a tar that tar reads, for its owner alone', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await fill(site)
  await at.put('user-content/uploads/2026/a.png', Buffer.from([0, 1, 2, 255]))
  await at.put(`user-content/uploads/protected/${longName}`, 'x'.repeat(700))
  await at.put('user-content/uploads/empty.txt', '')
  await at.put('user-content/themes/own/page.liquid', '{{ title }}')
  await at.put('user-content/plugins/shop/plugin.json', '{}')
  await at.put('user-content/logs/postern-errors.log', 'not saved')
  await symlink('/etc/passwd', join(at.home, 'user-content/uploads/link.txt'))
  await writeFile(Buffer.from(`${join(at.home, 'user-content/uploads/caf')}\xe9.txt`, 'latin1'), 'named by another century')
  const row = await site.backups.create({ note: 'first' })

  assert.match(row.file, /^postern-20261121T090000Z-[0-9a-z]{6}\.tar$/)
  assert.deepEqual([row.note, row.error, row.verified_at], ['first', null, at.clock.at])
  const path = site.backups.pathOf(row)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.equal((await stat(at.backups)).mode & 0o777, 0o700)
  assert.equal((await stat(path)).size, row.bytes)
  const manifest = await readManifest(path)
  const paths = manifest.files.map((file) => file.path)
  for (const name of [
    'data/postern.db',
    'data/site.key',
    'user-content/uploads/2026/a.png',
    'user-content/plugins/shop/plugin.json',
  ])
    assert.ok(paths.includes(name), name)
  assert.ok(!paths.some((name) => name.includes('logs') || name.includes('link')), paths.join())
  assert.deepEqual(manifest.left_out, [
    { path: 'user-content/uploads/caf\ufffd.txt', why: 'its name can not be written down' },
    { path: 'user-content/uploads/link.txt', why: 'no plain file' },
  ])
  assert.deepEqual([manifest.rows['entry'], manifest.rows['token'], manifest.schema], [20, 3, row.schema])

  const out = join(at.folder, 'by-tar')
  await mkdir(out)
  await promisify(execFile)('tar', ['xf', path, '-C', out])
  assert.equal((await readFile(join(out, `user-content/uploads/protected/${longName}`), 'utf8')).length, 700)
  assert.deepEqual([...(await readFile(join(out, 'user-content/uploads/2026/a.png')))], [0, 1, 2, 255])
  assert.deepEqual(await readdir(at.backups), ['.lock', row.file])
})

test('a backup made while writes go on holds a whole moment, and no write fails', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await fill(site, 500)
  const ending = new AbortController()
  let writes = 0
  const writer = async () => {
    while (!ending.signal.aborted) {
      // Two rows that belong together: a backup with one of them would be torn.
      await site.store.transaction(async (db) => {
        for (const name of ['one', 'two'])
          await db
            .insertInto('site_fact')
            .values({ name, value: String(writes) })
            .onConflict((on) => on.column('name').doUpdateSet({ value: String(writes) }))
            .execute()
      })
      writes++
    }
  }
  const writing = writer()
  const row = await site.backups.create({ note: null })
  const before = writes
  ending.abort()
  await writing
  assert.ok(before > 0)
  await at.close()
  await at.restore(row.file)
  const restored = await at.open()
  const facts = await restored.store.read.selectFrom('site_fact').selectAll().where('name', 'in', ['one', 'two']).execute()
  assert.equal(new Set(facts.map(({ value }) => value)).size, 1, JSON.stringify(facts))
})

test('one that was changed afterwards is told as such, noted, and no longer the latest good one', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await fill(site)
  const row = await site.backups.create({ note: null })
  const path = site.backups.pathOf(row)
  const bytes = await readFile(path)
  bytes.writeUInt8((bytes[bytes.length >> 1] ?? 0) ^ 1, bytes.length >> 1)
  await writeFile(path, bytes)
  await assert.rejects(site.backups.verify(row), failsWith('unprocessable', /SHA-256/))
  const [noted] = await listBackups(site.store.read)
  assert.match(noted?.error ?? '', /SHA-256/)
  assert.equal(noted?.verified_at, null)
})

test('attack 120: what a killed run left unfinished goes with the next, and a file without a row gets one', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await fill(site)
  const first = await site.backups.create({ note: 'kept' })
  await site.store.write.deleteFrom('backup').execute()
  await writeFile(join(at.backups, '.making.tar'), 'half')
  await writeFile(join(at.backups, '.making.db'), 'half')
  await mkdir(join(at.backups, '.scratch/data'), { recursive: true })
  const second = await site.backups.create({ note: null })
  assert.deepEqual((await readdir(at.backups)).sort(), ['.lock', first.file, second.file].sort())
  const rows = await listBackups(site.store.read)
  assert.deepEqual(
    rows.map(({ id, sha256, note }) => [id, sha256, note]),
    [
      [second.id, second.sha256, null],
      [first.id, first.sha256, 'kept'],
    ],
  )
})

test('one is made at a time; to delete one is nobody’s turn', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  const first = await site.backups.create({ note: null })
  const lock = await lockFile(join(at.backups, '.lock'), 'exclusive')
  await assert.rejects(site.backups.create({ note: null }), failsWith('unavailable', /Another backup/))
  await site.backups.remove([first])
  assert.deepEqual(await readdir(at.backups), ['.lock'])
  await lock?.release()
  await site.backups.create({ note: null })
})

test('a run that is ended leaves nothing behind', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await fill(site)
  await at.put('user-content/uploads/big.bin', Buffer.alloc(4_000_000))
  const ending = new AbortController()
  const running = site.backups.create({ note: null, signal: ending.signal })
  ending.abort()
  await assert.rejects(running, failsWith('unavailable', /nothing was made/))
  assert.deepEqual(await readdir(at.backups), ['.lock'])
  assert.deepEqual(await listBackups(site.store.read), [])
})

test('one that is ended while it is tried leaves nothing behind either, and says so', async () => {
  await using at = await openBackupSite()
  const ending = new AbortController()
  const work = workHere(createTrySite(at.config, at.clock))
  const endLate: BackupWork = { ...work, try: async (order) => (ending.abort(), work.try(order)) }
  const site = await openSite(at.config, () => undefined, at.clock, endLate)
  try {
    await assert.rejects(site.backups.create({ note: null, signal: ending.signal }), failsWith('unavailable', /nothing was made/))
    assert.deepEqual(await readdir(at.backups), ['.lock'])
    assert.deepEqual(await listBackups(site.store.read), [])
  } finally {
    await site.close()
  }
})

test('one for which there is no room is refused with both numbers, before anything is written', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await at.put('user-content/uploads/sparse.bin', '')
  await truncate(join(at.home, 'user-content/uploads/sparse.bin'), 8 * 1024 ** 4)
  await assert.rejects(
    site.backups.create({ note: null }),
    failsWith('unavailable', /has \d+ MiB free, and a backup takes 83886\d\d MiB/),
  )
  assert.deepEqual(await readdir(at.backups), ['.lock'])
})

test('what can’t be read is named, and nothing is saved without it', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await at.put('user-content/uploads/closed.png', 'x')
  const path = join(at.home, 'user-content/uploads/closed.png')
  await chmod(path, 0o000)
  const root = process.geteuid?.() === 0
  if (root) {
    const mine = [at.folder, ...(await readdir(at.folder, { recursive: true })).map((name) => join(at.folder, name))]
    for (const one of mine) if (one !== path) await chown(one, 65_534, 65_534)
    process.seteuid?.(65_534)
  }
  try {
    await assert.rejects(site.backups.create({ note: null }), failsWith('unavailable', /closed\.png can't be read \(EACCES\)/))
  } finally {
    if (root) process.seteuid?.(0)
  }
})

test('the latest is the newest that was found good, as long as there is one', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  const good = await site.backups.create({ note: null })
  const untried = { ...good, id: 'z'.repeat(26), file: 'z', created_at: good.created_at + 1, verified_at: null }
  await site.store.transaction((db) => keepBackup(db, untried))
  assert.equal((await findBackup(site.store.read, 'latest'))?.id, good.id)
  await site.store.transaction((db) => forgetBackup(db, good.id))
  assert.equal((await findBackup(site.store.read, 'latest'))?.id, untried.id)
  assert.equal(await findGood(site.store.read), undefined)
})

test('with a path of its own a backup is tried, not listed, and takes no file’s place', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  const out = join(at.folder, 'off-site.tar')
  const passphrase = 'a passphrase of its own'
  await site.backups.create({ note: null, out, passphrase })
  assert.equal((await stat(out)).mode & 0o777, 0o600)
  assert.deepEqual(await listBackups(site.store.read), [])
  await site.backups.verifyFile(out, { passphrase })
  await assert.rejects(site.backups.create({ note: null, out, passphrase }), failsWith('exists', /no file's place/))
})

test('older ones are thinned out after a success, those with a note and the newest good one stay', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  assert.deepEqual((await readSchedule(site.store.read)).keep, { daily: 7, weekly: 4, monthly: 6 })
  const noted = await site.backups.create({ note: 'before the redesign' })
  at.clock.at += 3_600_000
  const sameDay = await site.backups.create({ note: null })
  at.clock.at += 3_600_000
  const lastOfDay = await site.backups.create({ note: null })
  at.clock.at += 3 * 86_400_000
  const latest = await site.backups.create({ note: null })
  const left = (await listBackups(site.store.read)).map(({ id }) => id)
  assert.deepEqual(left, [latest.id, lastOfDay.id, noted.id])
  assert.ok(!(await readdir(at.backups)).includes(sameDay.file))
})
