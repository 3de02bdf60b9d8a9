// Rate limits that several processes count together: exact, whoever counts, and kept when a process dies.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { countsFileBytes, createSharedCounts } from '../../src/processes/shared-counts.ts'
import { openSlotFile } from '../../src/processes/slot-file.ts'
import { openTestFolder } from '../store/open-test-store.ts'

const windowMs = 60_000

/** Limiters of as many processes, over one file. */
async function openLimiters(count: number, limit: number) {
  const folder = await openTestFolder()
  const clock = { at: 1_000_000, now: () => clock.at }
  const open = (number: number) => {
    const seat = { number, of: count }
    const file = openSlotFile(join(folder.path, 'calls'), countsFileBytes(seat))
    return createSharedCounts(file, seat, Buffer.from('secret')).limiter('calls', { limit, windowMs, clock })
  }
  const limiters = Array.from({ length: count }, (_, at) => open(at + 1))
  return { limiters, clock, open, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

test('a limit allows as many as it says, whichever process counts them', async () => {
  await using site = await openLimiters(3, 10)
  const taken = Array.from({ length: 30 }, (_, at) => site.limiters[at % 3]?.take('a'))
  assert.deepEqual(
    taken.map((one) => one?.allowed),
    taken.map((_, at) => at < 10),
  )
  assert.deepEqual(
    taken.slice(0, 4).map((one) => one?.remaining),
    [9, 8, 7, 6],
  )
})

test('several at once are counted whole or not at all', async () => {
  await using site = await openLimiters(2, 10)
  const [one, two] = site.limiters
  assert.equal(one?.take('a', 7).allowed, true)
  assert.equal(two?.take('a', 4).allowed, false)
  assert.equal(two?.take('a', 3).allowed, true)
  assert.equal(one?.take('a').allowed, false)
})

test('the window that one process opens is that of the others, and ends for all', async () => {
  await using site = await openLimiters(2, 2)
  const [one, two] = site.limiters
  one?.take('a')
  site.clock.at += 40_000
  assert.equal(two?.take('a').resetSeconds, 20)
  assert.equal(one?.take('a').allowed, false)
  site.clock.at += 20_000
  assert.deepEqual([one?.take('a').allowed, two?.take('a').allowed, two?.take('a').allowed], [true, true, false])
})

test('what is given back can be taken by another process', async () => {
  await using site = await openLimiters(2, 1)
  const [one, two] = site.limiters
  one?.take('a')
  one?.giveBack('a')
  assert.equal(two?.take('a').allowed, true)
  assert.equal(one?.take('a').allowed, false)
})

test('a process that is started again goes on with what it had counted', async () => {
  await using site = await openLimiters(2, 3)
  site.limiters[0]?.take('a', 2)
  const again = site.open(1)
  assert.equal(again.take('a').allowed, true)
  assert.equal(again.take('a').allowed, false)
})

test('keys and limiters don’t count together', async () => {
  await using site = await openLimiters(2, 1)
  const [one] = site.limiters
  for (let key = 0; key < 5000; key++) assert.equal(one?.take(`key ${key}`).allowed, true)
})

test('more keys than there is room for push out the oldest ones only', async () => {
  await using site = await openLimiters(1, 1)
  const [one] = site.limiters
  for (let key = 0; key < 40_000; key++) {
    site.clock.at += 1
    one?.take(`key ${key}`)
  }
  assert.ok((one?.size ?? 0) <= 2048 * 8)
  const latest = Array.from({ length: 1000 }, (_, at) => one?.take(`key ${39_999 - at}`).allowed)
  assert.deepEqual(new Set(latest), new Set([false]))
})
