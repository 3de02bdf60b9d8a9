// When recurring work runs: on a real database, by whichever process is first.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createJobs } from '../../src/jobs/jobs.ts'
import { type Recurring, startRecurring } from '../../src/jobs/recurring.ts'
import { pluginJobs } from '../../src/plugins/jobs.ts'
import type { JobHandle } from '../../src/plugins/handle.ts'
import type { Repeating } from '../../src/base/repeating.ts'
import type { Store } from '../../src/store/core/database.ts'
import { type MakeDatabase, onEachDatabase, quiet } from '../store/on-each-database.ts'
import { until } from '../until.ts'

const minute = 60_000

interface JobBench extends AsyncDisposable {
  /** How many runs are meant to go on. */
  lasting: number
  readonly clock: { at: number }
  readonly ran: string[]
  readonly store: Store
  /** One process of the site. */
  process(name: string, everyMs?: number, run?: () => Promise<unknown>): Repeating
  /** One with several jobs, each of a plugin of its own. */
  processOf(runs: Readonly<Record<string, () => Promise<unknown>>>, everyMs?: number): Repeating
  /** One with any work. */
  start(work: readonly Recurring[]): Repeating
}

async function openBench(make: MakeDatabase): Promise<JobBench> {
  const database = await make('tables')
  const store = await database.open()
  const clock = { at: 1_000_000 }
  const ran: string[] = []
  const open: Repeating[] = []
  const start = (work: readonly Recurring[]): Repeating => {
    const parts = { store, clock: { now: () => clock.at }, log: quiet }
    const jobs = createJobs({ ...parts, stopMs: 100 })
    const timer = startRecurring({ ...parts, jobs }, async () => work, 100)
    /** Waits for what was started and is not meant to last. */
    const run = async () => {
      await timer.run()
      await until('what was started ends', async () => (await runningJobs(store)) <= bench.lasting)
    }
    const repeating = { run, stop: async () => void (await Promise.all([timer.stop(), jobs.stop()])) }
    open.push(repeating)
    return repeating
  }
  const processOf: JobBench['processOf'] = (runs, everyMs = minute) => {
    const handles = Object.entries(runs).map(([plugin, run]): JobHandle => ({ plugin, about: { index: 0, everyMs }, run }))
    return start(pluginJobs({ jobs: handles }))
  }
  const bench: JobBench = {
    lasting: 0,
    clock,
    ran,
    store,
    start,
    processOf,
    process: (name, everyMs, run = async () => void ran.push(name)) => processOf({ useful: run }, everyMs),
    async [Symbol.asyncDispose]() {
      for (const jobs of open) await jobs.stop()
      await store.close()
      await database[Symbol.asyncDispose]()
    },
  }
  return bench
}

async function runningJobs(store: Store): Promise<number> {
  return (await store.read.selectFrom('job').select('id').where('state', '=', 'running').execute()).length
}

test(
  'a job runs first an interval after it is known, then once an interval',
  onEachDatabase(async (make) => {
    await using bench = await openBench(make)
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
  }),
)

test(
  'of several processes one runs it',
  onEachDatabase(async (make) => {
    await using bench = await openBench(make)
    const processes = ['a', 'b', 'c'].map((name) => bench.process(name))
    await Promise.all(processes.map((jobs) => jobs.run()))
    bench.clock.at += minute
    await Promise.all(processes.map((jobs) => jobs.run()))
    assert.equal(bench.ran.length, 1)
  }),
)

test(
  'one that fails waits for its next time, and what was missed is run once',
  onEachDatabase(async (make) => {
    await using bench = await openBench(make)
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
  }),
)

test(
  'a job that takes long holds up no other, and is not run again before it has ended',
  onEachDatabase(async (make) => {
    await using bench = await openBench(make)
    bench.lasting = 1
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
  }),
)

test(
  'a stop does not wait for a job without end',
  onEachDatabase(async (make) => {
    await using bench = await openBench(make)
    bench.lasting = 1
    const jobs = bench.process('a', minute, () => new Promise(() => undefined))
    await jobs.run()
    bench.clock.at += minute
    void jobs.run()
    await jobs.stop()
  }),
)

test(
  'a shorter interval holds at once, and a clock that was turned back stops no job',
  onEachDatabase(async (make) => {
    await using bench = await openBench(make)
    await bench.process('a', 60 * minute).run()
    const jobs = bench.process('b', minute)
    await jobs.run()
    bench.clock.at += minute
    await jobs.run()
    assert.deepEqual(bench.ran, ['b'])
  }),
)

test(
  'a process that dies in the middle keeps the work from nobody for longer than its lease',
  onEachDatabase(async (make) => {
    await using bench = await openBench(make)
    bench.lasting = 1
    const dead = bench.start([{ name: 'x', call: 'x', everyMs: minute, run: () => new Promise(() => undefined) }])
    await dead.run()
    bench.clock.at += minute
    await dead.run()
    const other = bench.start([{ name: 'x', call: 'x', everyMs: minute, run: async () => bench.ran.push('other') }])
    bench.clock.at += 10_000
    await other.run()
    assert.deepEqual(bench.ran, [])
    bench.clock.at += minute
    await other.run()
    await until('the other ran it', () => bench.ran.length === 1)
  }),
)

test(
  'what one process found, every other learns, and so does the next one',
  onEachDatabase(async (make) => {
    await using bench = await openBench(make)
    const learnt: unknown[] = []
    const work = (name: string): Recurring => ({
      name: 'look',
      call: 'look',
      everyMs: minute,
      run: async () => ({ found: name }),
      onResult: (result) => learnt.push([name, result]),
    })
    const [a, b] = [bench.start([work('a')]), bench.start([work('b')])]
    await a.run()
    bench.clock.at += minute
    await a.run()
    await until(
      'the result is kept',
      async () => (await bench.store.read.selectFrom('job').select('result').executeTakeFirst())?.result !== null,
    )
    bench.clock.at += 20_000
    await b.run()
    assert.deepEqual(learnt, [['b', { found: 'a' }]])
    await bench.start([work('c')]).run()
    assert.deepEqual(learnt.at(-1), ['c', { found: 'a' }])
  }),
)

test(
  'work that every start asks for is due again soon after each',
  onEachDatabase(async (make) => {
    await using bench = await openBench(make)
    const work: Recurring = {
      name: 'x',
      call: 'x',
      everyMs: 60 * minute,
      afterStartMs: minute,
      run: async () => bench.ran.push('x'),
    }
    for (const runs of [1, 2]) {
      const jobs = bench.start([work])
      await jobs.run()
      assert.equal(bench.ran.length, runs - 1)
      bench.clock.at += minute
      await jobs.run()
      await until('it ran again', () => bench.ran.length === runs)
      await jobs.stop()
    }
  }),
)
