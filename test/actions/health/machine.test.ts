// The machine under the site, each thing wrong in its place: file system, limits, time, restarts, the database and its log, backups.

import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, open, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { diskFault } from '../../../src/actions/health/home.ts'
import { fileSystemFault, limitsFault } from '../../../src/actions/health/machine.ts'
import { programRelease } from '../../../src/base/program.ts'
import { openTestSite, start, type TestSite } from '../../identity/open-test-site.ts'
import { noBrowser } from '../../admin/chromium.ts'
import { openEyes } from '../../eyes/open-eyes.ts'
import { inZone } from '../../in-zone.ts'
import { usesPostgres } from '../../postgres.ts'
import { onlySqlite } from '../../sqlite-only.ts'

const find = async (site: TestSite, check: string) => (await site.ok('SVC_Health.check', { only: [check] })).items[0]

for (const [name, type] of [
  ['NFS', 0x6969],
  ['CIFS', 0xff534d42],
  ['CIFS', 0xff534d42 | 0],
  ['9p', 0x01021997],
  ['FUSE', 0x65735546],
] as const) {
  test(`doctor file-system: a home on ${name} (${type}) is no place for a database`, () => {
    assert.match(fileSystemFault(type, '/srv/site')?.message ?? '', new RegExp(`/srv/site is on ${name}`))
  })
}

test('doctor file-system: ext4, xfs, btrfs, tmpfs and overlay are local', () => {
  for (const type of [0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630]) assert.equal(fileSystemFault(type, '/'), undefined)
})

test('doctor limits: few files, an old Node, and no processors are told; what is right is not', () => {
  const right = { files: 65_536, cpus: 2, node: 'v20.19.0' }
  assert.equal(limitsFault(right), undefined)
  assert.equal(limitsFault({ ...right, node: 'v24.1.0' }), undefined)
  assert.match(String(limitsFault({ ...right, files: 1024 })?.fix), /LimitNOFILE=/)
  assert.match(String(limitsFault({ ...right, cpus: 0 })?.fix), /ProcSubset/)
  for (const node of ['v20.18.3', 'v18.20.0']) assert.equal(limitsFault({ ...right, node })?.state, 'broken')
})

test('doctor disk: too little room, too little beside the database, and too few inodes are told; enough is not', () => {
  const disk = { bavail: 500, blocks: 1000, bsize: 1024 ** 2, ffree: 500, files: 1000 }
  assert.equal(diskFault(disk, 1024 ** 2, '/srv/site'), undefined)
  assert.equal(diskFault({ ...disk, ffree: 0, files: 0 }, 1024 ** 2, '/srv/site'), undefined)
  assert.match(diskFault({ ...disk, bavail: 90 }, 0, '/srv/site')?.message ?? '', /90 MiB \(9 %\) are free/)
  assert.match(diskFault(disk, 300 * 1024 ** 2, '/srv/site')?.message ?? '', /500 MiB \(50 %\) are free/)
  assert.match(diskFault({ ...disk, ffree: 50 }, 0, '/srv/site')?.message ?? '', /5 % of its inodes/)
})

test('doctor chromium: a browser for pictures that does not start is told, and none is fine', async () => {
  await using none = await openTestSite()
  assert.equal((await find(none, 'chromium')).message, 'No browser is set that takes pictures of pages.')
  await using program = await openTestSite({ POSTERN_CHROMIUM: '/nowhere/chromium' })
  const { state, message, fix } = await find(program, 'chromium')
  assert.deepEqual([state, message], ['warning', 'Chromium could not be started: there is no file /nowhere/chromium.'])
  assert.match(fix, /^sudo apt install chromium; .* POSTERN_CHROMIUM=\/run\/postern-eyes\.sock$/)
  await using unit = await openTestSite({ POSTERN_CHROMIUM: '/nowhere/postern-eyes.sock' })
  assert.match((await find(unit, 'chromium')).fix, /^sudo systemctl enable --now postern-eyes\.socket /)
})

test('doctor chromium: one that starts is well', { skip: noBrowser }, async (t) => {
  const { place } = await openEyes(t)
  await using site = await openTestSite({ POSTERN_CHROMIUM: place })
  const { state, message } = await find(site, 'chromium')
  assert.equal(state, 'ok')
  assert.match(message, /^(?:Headless)?Chrome\/[\d.]+ takes pictures of pages\.$/)
})

/** Puts a program of this name before all others, for as long as something runs. */
async function withProgram(name: string, says: string, run: () => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-program-'))
  const path = process.env['PATH']
  await writeFile(join(folder, name), `#!/bin/sh\necho '${says}'\n`)
  await chmod(join(folder, name), 0o755)
  process.env['PATH'] = `${folder}:${path}`
  try {
    await run()
  } finally {
    process.env['PATH'] = path
    await rm(folder, { recursive: true })
  }
}

test('doctor time-source: a clock that no network sets is told', async () => {
  await using site = await openTestSite()
  await withProgram('timedatectl', 'no', async () => {
    const { state, fix } = await find(site, 'time-source')
    assert.deepEqual([state, fix], ['warning', 'sudo timedatectl set-ntp true'])
  })
  await withProgram('timedatectl', 'yes', async () => assert.equal((await find(site, 'time-source')).state, 'ok'))
})

test('doctor restarts: a service that systemd restarts again and again is told', async () => {
  await using site = await openTestSite()
  const shown = (restarts: number) => `NRestarts=${restarts}\nResult=success\nId=postern.service\n`
  await withProgram('systemctl', shown(7), async () => {
    const { state, message } = await find(site, 'restarts')
    assert.equal(state, 'warning')
    assert.match(message, /postern\.service 7 times/)
  })
  const second = 'NRestarts=4\nResult=watchdog\nId=postern@2.service'
  await withProgram('systemctl', `${shown(0)}\n${second}`, async () => {
    const { message, fix } = await find(site, 'restarts')
    assert.match(message, /postern@2\.service 4 times since it was started: it hangs, and the watchdog ends it/)
    assert.match(fix, /^journalctl -u postern@2\.service /)
  })
  await withProgram('systemctl', shown(1), async () => assert.equal((await find(site, 'restarts')).state, 'ok'))
})

const plantedProcesses = [
  ['one that never started', 2, [{ instance: 1 }], /^Process 2 of 2 has never started/],
  [
    'one that gives no sign of life',
    2,
    [{ instance: 1 }, { instance: 2, seenAt: start - 40_000 }],
    /^Process 2 of 2 hangs, or has died/,
  ],
  [
    'one of another release',
    2,
    [{ instance: 1 }, { instance: 2, release: '0.9.9' }],
    /^Process 2 of 2 runs 0\.9\.9, and this one runs 1\./,
  ],
  [
    'one too many',
    2,
    [{ instance: 1 }, { instance: 2 }, { instance: 3 }],
    /^Process 3 of several runs, but POSTERN_PROCESSES is 2/,
  ],
  ['one of several beside the only one', 1, [{ instance: 1 }], /^Process 1 of several runs, but POSTERN_PROCESSES is 1/],
  ['none that is wrong', 2, [{ instance: 1 }, { instance: 2 }], /^2 processes serve the site\.$/],
  ['none, after several', 1, [{ instance: 2, stoppedAt: start }], /^One process serves the site\.$/],
] as const

for (const count of [1, 2]) {
  test(`doctor processes: of ${count}, each that is wrong is told`, async () => {
    await using site = await openTestSite({ POSTERN_PROCESSES: String(count) })
    const folder = join(site.home, 'data', 'processes')
    for (const [what, , planted, message] of plantedProcesses.filter((row) => row[1] === count)) {
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder, { recursive: true })
      for (const more of planted) {
        const alive = { pid: 1, release: programRelease(), startedAt: start, seenAt: start, stoppedAt: null, deaths: [] }
        await writeFile(join(folder, `presence-${more.instance}.json`), JSON.stringify({ ...alive, ...more }))
      }
      const found = await find(site, 'processes')
      assert.match(found.message, message, what)
      assert.equal(found.state, /^(?:2 processes serve|One process serves)/.test(found.message) ? 'ok' : 'warning', what)
      assert.equal(found.fix === null, found.state === 'ok', what)
    }
  })
}

test('doctor time-zone: ahead of UTC an old release issues codes that are dead; this one does not', () =>
  inZone('Asia/Tokyo', async () => {
    await using old = await openTestSite({ POSTERN_COMPAT: '0.10' })
    const { state, message, fix } = await find(old, 'time-zone')
    assert.equal(state, 'broken')
    assert.match(message, /540 minutes ahead of UTC/)
    assert.match(fix, /TZ=UTC/)
    await using now = await openTestSite()
    assert.equal((await find(now, 'time-zone')).state, 'ok')
  }))

test('doctor keep-alive: connections that end sooner than nginx thinks are told', async () => {
  await using site = await openTestSite({ POSTERN_KEEP_ALIVE_SECONDS: '5' })
  const { state, message } = await find(site, 'keep-alive')
  assert.equal(state, 'warning')
  assert.match(message, /after 5 s/)
})

test('doctor backup: a site of two days without a good backup is told', async () => {
  await using site = await openTestSite()
  assert.equal((await find(site, 'backup')).state, 'ok')
  site.clock.at += 48 * 3_600_000
  const { state, message, fix } = await find(site, 'backup')
  assert.equal(state, 'warning')
  assert.match(message, usesPostgres ? /^There is no good backup by Postern, which can't see / : /^There is no good backup\.$/)
  assert.match(fix, /postern-backup\.timer/)
})

test('doctor backups-elsewhere: a failed attempt, an old copy and one that can’t be restored are reported; a site without a place has no fault', async () => {
  await using site = await openTestSite()
  const { write } = site.site.store
  const now = site.clock.at
  const isState = async (state: string, message: RegExp) => {
    const found = await find(site, 'backups-elsewhere')
    assert.deepEqual([found.state, message.test(found.message)], [state, true], found.message)
  }
  await isState('ok', /^No place elsewhere is set/)
  const target = { name: 'own', settings: '{}', secret: '', every: 'backup', check_every: 'week', since: now, tried_at: now }
  await write.insertInto('backup_target').values({ ...target, reached_at: null, error: 'nas answered 507.' }).execute()
  await isState('warning', /could not be sent elsewhere: nas answered 507\.$/)
  await write.updateTable('backup_target').set({ error: null, reached_at: now }).execute()
  const copy = { file: 'a', created_at: now, bytes: 1, sha256: '', note: null, node: '', sent_at: now, verified_at: now }
  await write.insertInto('backup_copy').values({ ...copy, error: null }).execute()
  await isState('ok', /^Backups are sent elsewhere/)
  await write.updateTable('backup_copy').set({ error: 'its bytes differ.' }).execute()
  await isState('broken', /can't be restored: its bytes differ\.$/)
  await write.updateTable('backup_copy').set({ error: null }).execute()
  site.clock.at += 48 * 3_600_000
  await isState('warning', /is 48 hours old/)
})

test('doctor backup-passphrase: one that is set and can’t be used is reported; a site without one, or with a good one, has no fault', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-passphrase-'))
  const file = join(folder, 'passphrase')
  try {
    for (const [words, state, message] of [
      [undefined, 'ok', /not sealed, so they can only be kept on this machine/],
      ['short', 'broken', /^No backup can be made: The passphrase in .* must be one line of 12 to 1024 bytes/],
      ['correct horse battery', 'ok', /^Backups are sealed/],
    ] as const) {
      if (words !== undefined) await writeFile(file, words, { mode: 0o600 })
      await using site = await openTestSite(words === undefined ? {} : { POSTERN_BACKUP_PASSPHRASE_FILE: file })
      const found = await find(site, 'backup-passphrase')
      assert.equal(found.state, state)
      assert.match(found.message, message)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('doctor wal: a log that nobody takes in is told', onlySqlite('a write-ahead log in the home'), async () => {
  await using site = await openTestSite()
  const log = join(site.home, 'data', 'postern.db-wal')
  const { size } = await stat(log)
  await truncate(log, 300 * 1024 ** 2)
  const { state, message } = await find(site, 'wal')
  await truncate(log, size)
  assert.equal(state, 'warning')
  assert.match(message, /300 MiB/)
})

test('doctor database: pages that were written over are told', onlySqlite('a database file in the home'), async () => {
  await using site = await openTestSite()
  assert.equal((await find(site, 'database')).state, 'ok')
  await sql`pragma wal_checkpoint(truncate)`.execute(site.site.store.write)
  const path = join(site.home, 'data', 'postern.db')
  const file = await open(path, 'r+')
  // The last pages: indexes are not looked through, tables are.
  const end = (await stat(path)).size
  await file.write(Buffer.alloc(16 * 4096, 0x5a), 0, 16 * 4096, end - 16 * 4096)
  await file.close()
  const { state, message, fix } = await find(site, 'database')
  assert.equal(state, 'broken')
  assert.match(message, /^The database is damaged: /)
  assert.match(fix ?? '', /restore latest/)
})
