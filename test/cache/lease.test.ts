// When caches may be used for a request: after a look that succeeded within the last second, and after nobody has told of a change since.

import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { test } from 'node:test'
import { createLease, leaseMs, pagesMs } from '../../src/cache/lease.ts'
import { quiet } from '../store/open-test-store.ts'

/** A lease over a database that answers, fails or hangs, as the test says, and a mark that the test changes. */
function openLease({ told }: { told?: string } = {}) {
  const state = { now: 1_000_000, mode: 'answers' as 'answers' | 'fails' | 'hangs', mark: told, looks: 0 }
  const waiting: (() => void)[] = []
  const look = async () => {
    state.looks += 1
    if (state.mode === 'fails') throw new Error('no database')
    if (state.mode === 'hangs') await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const changes = told === undefined ? undefined : { read: () => state.mark ?? '', is: (seen: string) => seen === state.mark }
  const lease = createLease({ look, changes, before: told, log: quiet, clock: { now: () => state.now } })
  return { state, lease, release: () => waiting.splice(0).forEach((resolve) => resolve()) }
}

test('caches are used without a question for a second after a look', () => {
  const { lease, state } = openLease()
  state.now += leaseMs - 1
  assert.equal(lease.catchUp(), undefined)
  assert.equal(state.looks, 0)
})

test('a second after the last look the database is asked once for all requests', async () => {
  const { lease, state } = openLease()
  state.now += leaseMs
  const asked = [1, 2, 3].map(async () => lease.catchUp())
  assert.deepEqual(await Promise.all(asked), ['fresh', 'fresh', 'fresh'])
  assert.equal(state.looks, 1)
  assert.equal(lease.catchUp(), undefined)
})

test('a look of the store renews the lease from the time when it began', () => {
  const { lease, state } = openLease()
  state.now += 900
  lease.renewed(state.now - 200)
  state.now += 700
  assert.equal(lease.catchUp(), undefined)
  state.now += 200
  assert.notEqual(lease.catchUp(), undefined)
})

test('while looks fail only pages may come from caches, and after some minutes nothing', async () => {
  const { lease, state } = openLease()
  state.mode = 'fails'
  state.now += leaseMs
  assert.equal(await lease.catchUp(), 'pages')
  state.now += pagesMs
  assert.equal(await lease.catchUp(), 'nothing')
  state.mode = 'answers'
  state.now += leaseMs
  assert.equal(await lease.catchUp(), 'fresh')
})

test('a failed look is not repeated for each request', async () => {
  const { lease, state } = openLease()
  state.mode = 'fails'
  state.now += leaseMs
  for (let at = 0; at < 5; at++) assert.equal(await lease.catchUp(), 'pages')
  assert.equal(state.looks, 1)
})

test('a look that hangs counts as failed: the first request waits for a second, and later ones for what is left of it', async () => {
  const { lease, state, release } = openLease()
  state.mode = 'hangs'
  state.now += leaseMs
  const first = lease.catchUp()
  state.now += leaseMs
  assert.equal(await lease.catchUp(), 'pages')
  assert.equal(await first, 'pages')
  assert.equal(state.looks, 1)
  state.mode = 'answers'
  release()
  state.now += leaseMs
  assert.equal(await lease.catchUp(), 'fresh')
})

test('a clock that was set back ends the lease', () => {
  const { lease, state } = openLease()
  state.now -= 60_000
  assert.notEqual(lease.catchUp(), undefined)
})

test('a change that was told ends the lease at once, and one look renews it', async () => {
  const { lease, state } = openLease({ told: 'a' })
  assert.equal(lease.catchUp(), undefined)
  state.mark = 'b'
  assert.equal(await lease.catchUp(), 'fresh')
  assert.equal(lease.catchUp(), undefined)
  assert.equal(state.looks, 1)
})

test('a change that is told during a look is looked up by another one', async () => {
  const { lease, state, release } = openLease({ told: 'a' })
  state.mode = 'hangs'
  state.mark = 'b'
  const first = lease.catchUp()
  state.mark = 'c'
  const second = [1, 2].map(async () => lease.catchUp())
  state.mode = 'answers'
  release()
  assert.deepEqual(await Promise.all([first, ...second]), ['fresh', 'fresh', 'fresh'])
  assert.equal(state.looks, 2)
  assert.equal(lease.catchUp(), undefined)
})

test('a change that was told and could not be looked up is not forgotten', async () => {
  const { lease, state } = openLease({ told: 'a' })
  state.mark = 'b'
  state.mode = 'fails'
  assert.equal(await lease.catchUp(), 'pages')
  state.mode = 'answers'
  state.now += 300
  assert.equal(await lease.catchUp(), 'fresh')
})

test('a process that stalls while the database answers has not waited in vain', async () => {
  let now = 1_000_000
  const look = async () => void (await stat('.'))
  const lease = createLease({ look, changes: undefined, before: undefined, log: quiet, clock: { now: () => now } })
  now += leaseMs
  const asked = lease.catchUp()
  const began = performance.now()
  while (performance.now() - began < 1500);
  assert.equal(await asked, 'fresh')
})
