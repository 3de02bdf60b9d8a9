// When plugins' jobs run: on a real database, by whichever process is first.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { startJobs } from '../../src/plugins/jobs.ts'
import type { Repeating } from '../../src/repeating.ts'
import type { Active, JobHandle } from '../../src/plugins/handle.ts'
import { openStore, type Store } from '../../src/store/database.ts'
import { migrateToLatest } from '../../src/store/migrate.ts'
import { openTestFolder, quiet } from '../store/open-test-store.ts'

const minute = 60_000

interface JobBench extends AsyncDisposable {
  readonly clock: { at: number }
  readonly ran: string[]
  readonly store: Store
  /** One process of the site. */
  process(name: string, everyMs?: number, run?: () => Promise<unknown>): Repeating
  /** One with several jobs, each of a plugin of its own. */
  processOf(runs: Readonly<Record<string, () => Promise<unknown>>>, everyMs?: number): Repeating
}

async function openBench(): Promise<JobBench> {
  const folder = await openTestFolder()
  const store = await openStore({ path: join(folder.path, 'postern.db'), log: quiet })
  await migrateToLatest(store)
  const clock = { at: 1_000_000 }
  const ran: string[] = []
  const open: Repeating[] = []
  const processOf: JobBench['processOf'] = (runs, everyMs = minute) => {
    const handles = Object.entries(runs).map(([plugin, run]): JobHandle => ({ plugin, about: { index: 0, everyMs }, run }))
    const active = { jobs: handles } as unknown as Active
    const jobs = startJobs({ store, clock: { now: () => clock.at }, log: quiet, plugins: { active } }, 100)
    open.push(jobs)
    return jobs
  }
  return {
    clock,
    ran,
    store,
    processOf,
    process: (name, everyMs, run = async () => void ran.push(name)) => processOf({ useful: run }, everyMs),
    async [Symbol.asyncDispose]() {
      for (const jobs of open) await jobs.stop()
      await store.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

test('a job runs first an interval after it is known, then once an interval', async () => {
  await using bench = await openBench()
  const jobs = bench.process('a')
  await jobs.run()
  assert.deepEqual(bench.ran, [])
  bench.clock.at += minute
  await jobs.run()
  await jobs.run()
  assert.deepEqual(bench.ran, ['a'])
  bench.clock.at += minute
  await jobs.run()
  assert.deepEqual(bench.ran, ['a', 'a'])
})

test('of several processes one runs it', async () => {
  await using bench = await openBench()
  const processes = ['a', 'b', 'c'].map((name) => bench.process(name))
  await Promise.all(processes.map((jobs) => jobs.run()))
  bench.clock.at += minute
  await Promise.all(processes.map((jobs) => jobs.run()))
  assert.equal(bench.ran.length, 1)
})

test('one that fails waits for its next time, and what was missed is run once', async () => {
  await using bench = await openBench()
  let tries = 0
  const jobs = bench.process('a', minute, async () => {
    tries += 1
    throw new Error('not today')
  })
  await jobs.run()
  bench.clock.at += 10 * minute
  await jobs.run()
  await jobs.run()
  assert.equal(tries, 1)
})

test('a job that takes long holds up no other, and is not run again before it has ended', async () => {
  await using bench = await openBench()
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  const jobs = bench.processOf({
    slow: async () => (bench.ran.push('slow'), ended),
    quick: async () => bench.ran.push('quick'),
  })
  await jobs.run()
  for (let round = 0; round < 2; round++) {
    bench.clock.at += minute
    await jobs.run()
  }
  assert.deepEqual(bench.ran, ['slow', 'quick', 'quick'])
  end()
  await jobs.stop()
  await jobs.run()
  assert.deepEqual(bench.ran, ['slow', 'quick', 'quick', 'slow'])
})

test('a stop does not wait for a job without end', async () => {
  await using bench = await openBench()
  const jobs = bench.process('a', minute, () => new Promise(() => undefined))
  await jobs.run()
  bench.clock.at += minute
  void jobs.run()
  await jobs.stop()
})

test('a shorter interval holds at once, and a clock that was turned back stops no job', async () => {
  await using bench = await openBench()
  await bench.process('a', 60 * minute).run()
  const jobs = bench.process('b', minute)
  await jobs.run()
  bench.clock.at += minute
  await jobs.run()
  assert.deepEqual(bench.ran, ['b'])
})
