// Who writes next among the writers of several processes: whoever has waited longest, unless its process is dead or stopped.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSlotFile } from '../../src/processes/slot-file.ts'
import { createWriteQueue, queueFileBytes, type WriteQueueOptions } from '../../src/processes/write-queue.ts'
import { openTestFolder } from '../store/open-test-store.ts'

/** The queues of as many processes, over one file. */
async function openQueues(count: number, options: WriteQueueOptions = {}) {
  const folder = await openTestFolder()
  const file = openSlotFile(join(folder.path, 'writers'), queueFileBytes)
  const queues = Array.from({ length: count }, (_, at) => createWriteQueue(file, { number: at + 1, of: count }, options))
  return {
    queues: queues as [(typeof queues)[0], (typeof queues)[0], ...typeof queues],
    file,
    async [Symbol.asyncDispose]() {
      file.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

test('a writer that finds nobody writes at once', async () => {
  await using site = await openQueues(2)
  assert.equal(site.queues[0].enter(), undefined)
  site.queues[0].leave()
  assert.equal(site.queues[1].enter(), undefined)
  site.queues[1].leave()
})

test('writers of all processes write one at a time, in the order in which they asked', async () => {
  await using site = await openQueues(3, { turnMs: 0 })
  const order: number[] = []
  let inside = 0
  const write = async (number: number) => {
    const queue = site.queues[number % 3] ?? site.queues[0]
    await queue.enter()
    assert.equal(++inside, 1)
    order.push(number)
    await sleep(3)
    inside -= 1
    queue.leave()
  }
  const all: Promise<void>[] = []
  for (let number = 0; number < 9; number++) {
    all.push(write(number))
    await sleep(1)
  }
  await Promise.all(all)
  assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7, 8])
})

test('a process with many writers lets the others in after its turn', async () => {
  await using site = await openQueues(2, { turnMs: 10 })
  const [busy, other] = site.queues
  let served = 0
  const keepBusy = async () => {
    for (let at = 0; at < 40; at++) {
      await busy.enter()
      await sleep(2)
      served += 1
      busy.leave()
    }
  }
  const all = Promise.all([keepBusy(), keepBusy()])
  await sleep(5)
  await other.enter()
  assert.ok(served < 40, `${served} writers were served before`)
  other.leave()
  await all
})

test('a process that waits or writes and says nothing any more is passed by', async () => {
  await using site = await openQueues(3)
  const [, two] = site.queues
  // What a process that was killed or stopped leaves: it writes, and confirmed that for the last time a while ago.
  for (const state of [1, 2]) {
    const old = Number(process.hrtime.bigint()) / 1e6 - 101
    site.file.write(new Uint8Array(Float64Array.of(state, old, old).buffer), 24)
    assert.equal(two.enter(), undefined)
    two.leave()
  }
  const recent = Number(process.hrtime.bigint()) / 1e6
  site.file.write(new Uint8Array(Float64Array.of(2, recent, recent).buffer), 24)
  const turn = two.enter()
  assert.notEqual(turn, undefined)
  await turn
  two.leave()
})

test('a writer that is waited for too long, or not at all any more, is refused, and the next one has its turn', async () => {
  await using site = await openQueues(2, { waitMs: 150 })
  const [one, two] = site.queues
  assert.equal(one.enter(), undefined)
  const left = new AbortController()
  const waits = [two.enter(left.signal), two.enter()]
  left.abort()
  await assert.rejects(async () => waits[0], { code: 'unavailable' })
  await assert.rejects(async () => waits[1], { code: 'unavailable' })
  one.leave()
  assert.equal(one.enter(), undefined)
  one.leave()
  assert.equal(two.enter(), undefined)
  two.leave()
})
