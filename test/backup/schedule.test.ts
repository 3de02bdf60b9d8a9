// Backups that are due: one of several processes makes each, and one that fails is tried again before its turn.

import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { listBackups, readSchedule, writeSchedule } from '../../src/backup/backup-store.ts'
import { scheduledBackups } from '../../src/backup/schedule.ts'
import { openSite, type Site } from '../../src/app/compose.ts'
import { startRecurring } from '../../src/jobs/recurring.ts'
import type { Repeating } from '../../src/base/repeating.ts'
import { lockFile } from '../../src/store/core/file-lock.ts'
import { until } from '../until.ts'
import { openBackupSite } from './backup-site.ts'

/** Looks, and waits for the backup that was due. */
function startBackups(site: Site): Repeating {
  const timer = startRecurring(site, () => scheduledBackups(site))
  const isRunning = async () => {
    const row = await site.store.read.selectFrom('job').select('state').where('name', '=', 'backup').executeTakeFirst()
    return row?.state === 'running'
  }
  return {
    ...timer,
    async run() {
      await timer.run()
      await until('the backup ends', async () => !(await isRunning()))
    },
  }
}

const keep = { daily: 7, weekly: 4, monthly: 6 }
const hourMs = 3_600_000

test('nothing is due until a schedule is set; then the first at once, and each of several processes’ turns makes one', async () => {
  await using at = await openBackupSite()
  const one = await at.open()
  const two = await openSite(at.config, () => undefined, at.clock)
  const timers = [startBackups(one), startBackups(two)]
  const all = () => Promise.all(timers.map((timer) => timer.run()))
  const count = async () => (await listBackups(one.store.read)).length
  try {
    await all()
    assert.equal(await count(), 0)
    await one.store.transaction((db) => writeSchedule(db, 'hour', keep, at.clock.at))
    at.clock.at += 20_000
    await all()
    assert.equal(await count(), 1)
    at.clock.at += hourMs - 1
    await all()
    assert.equal(await count(), 1)
    at.clock.at += 1
    await all()
    await all()
    assert.equal(await count(), 2)
    await one.store.transaction((db) => writeSchedule(db, 'off', keep, at.clock.at))
    at.clock.at += 48 * hourMs
    await all()
    assert.equal(await count(), 2)
  } finally {
    for (const timer of timers) await timer.stop()
    await two.close()
  }
})

test('a schedule that is switched on by this release holds in the one before, and the other way round', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  const timer = startBackups(site)
  const { read, write } = site.store
  const column = () => read.selectFrom('backup_schedule').select('next_at').executeTakeFirst()
  try {
    await site.store.transaction((db) => writeSchedule(db, 'day', keep, at.clock.at))
    assert.deepEqual(await column(), { next_at: at.clock.at })
    await site.store.transaction((db) => writeSchedule(db, 'off', keep, at.clock.at))
    assert.deepEqual(await column(), { next_at: null })
    await timer.run()
    // As the release before does it.
    await write.updateTable('backup_schedule').set({ every: 'day', next_at: at.clock.at }).execute()
    at.clock.at += 20_000
    await timer.run()
    assert.equal((await listBackups(read)).length, 1)
    assert.equal((await readSchedule(read)).nextAt, at.clock.at + 24 * hourMs)
  } finally {
    await timer.stop()
  }
})

test('one that failed is tried again within the hour, not at its next turn', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  const timer = startBackups(site)
  try {
    await site.store.transaction((db) => writeSchedule(db, 'week', keep, at.clock.at))
    await site.backups.create({ note: null, out: `${at.folder}/x.tar.sealed`, passphrase: 'correct horse battery staple' })
    const busy = await lockFile(`${at.backups}/.lock`, 'exclusive')
    await timer.run()
    await busy?.release()
    assert.deepEqual(await listBackups(site.store.read), [])
    assert.equal((await readSchedule(site.store.read)).nextAt, at.clock.at + hourMs)
    at.clock.at += hourMs
    await timer.run()
    assert.equal((await readdir(at.backups)).filter((name) => name.endsWith('.tar')).length, 1)
  } finally {
    await timer.stop()
  }
})
