// Backups that are due: one of several processes makes each, and one that fails is tried again before its turn.

import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { listBackups, noteMade, readSchedule, takeDue, writeSchedule } from '../../src/backup/backup-store.ts'
import { startBackups } from '../../src/backup/schedule.ts'
import { openSite } from '../../src/compose.ts'
import { lockFile } from '../../src/store/file-lock.ts'
import { openBackupSite } from './backup-site.ts'

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

test('one that failed is tried again within the hour, not at its next turn', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  const timer = startBackups(site)
  try {
    await site.store.transaction((db) => writeSchedule(db, 'week', keep, at.clock.at))
    await site.backups.create({ note: null, out: `${at.folder}/x.tar` })
    const busy = await lockFile(`${at.backups}/.lock`, 'alone')
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

test('one whose maker was never heard of again is tried again within the hour; a moment set by a clock that was ahead is no reason to wait', async () => {
  await using at = await openBackupSite()
  const { store } = await at.open()
  await store.transaction((db) => writeSchedule(db, 'week', keep, at.clock.at))
  const due = await takeDue(store.write, at.clock.at)
  assert.deepEqual(due, { again: at.clock.at + hourMs, next: at.clock.at + 168 * hourMs })
  assert.equal(await takeDue(store.write, at.clock.at), undefined)
  const again = await takeDue(store.write, at.clock.at + hourMs)
  assert.ok(again)
  await noteMade(store.write, again)
  assert.equal((await readSchedule(store.read)).nextAt, at.clock.at + 169 * hourMs)
  assert.equal(await takeDue(store.write, at.clock.at + 168 * hourMs), undefined)
  assert.ok(await takeDue(store.write, at.clock.at - 1000 * hourMs))
})
