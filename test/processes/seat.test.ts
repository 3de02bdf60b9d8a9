// Which of several processes this one is, by the settings.

import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../src/base/config.ts'
import { nameOfSeat, seatOf } from '../../src/processes/seat.ts'
import { openSite } from '../site.ts'

const seat = (processes: string, instance: string) =>
  seatOf(readConfig({ POSTERN_PROCESSES: processes, POSTERN_INSTANCE: instance }))

test('an instance number gives a process its seat and its name', () => {
  assert.deepEqual(seat('2', '2'), { number: 2, of: 2 })
  assert.equal(nameOfSeat({ number: 2, of: 2 }), '2')
})

test('the only process of a site has no seat', () => {
  assert.equal(seat('1', '1'), undefined)
  assert.equal(seat('1', ''), undefined)
})

test('a number above the number of processes, and one that is none, are refused', () => {
  assert.throws(() => seat('2', '3'), /POSTERN_INSTANCE=3 is higher than POSTERN_PROCESSES=2/)
  assert.throws(() => seat('0', ''), /POSTERN_PROCESSES=0 makes no sense: it must be a whole number from 1 to 64/)
  assert.throws(() => seat('2', 'one'), /POSTERN_INSTANCE=one makes no sense: it must be a whole number from 1 to 64/)
})

test('a site with one process has no shared files, and its answers name no process', async () => {
  await using site = await openSite()
  await site.call('SVC_Content.create', { type: 'page', title: 'Alone' })
  assert.ok(!(await readdir(join(site.home, 'data'))).includes('processes'))
  assert.equal((await site.send('/healthz')).text, 'ok\n')
  assert.ok(site.log.every((line) => !line.includes('"process"')))
})
