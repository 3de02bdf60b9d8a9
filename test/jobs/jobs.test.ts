// Jobs of calls: on a real database, with a lease that one process holds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeExpired } from '../../src/actions/call/expired-rows.ts'
import { findJob, findKeyedJob } from '../../src/jobs/job-store.ts'
import { createJobs, type JobControl, type Jobs } from '../../src/jobs/jobs.ts'
import type { Store } from '../../src/store/core/database.ts'
import { type MakeDatabase, onEachDatabase, quiet } from '../store/on-each-database.ts'
import { until } from '../until.ts'

const order = {
  call: 'SVC_Made.up',
  arguments: '{}',
  account_id: null,
  token_id: null,
  by_name: 'Owner',
  owner: null,
  key: null,
} as const

interface Bench extends AsyncDisposable {
  readonly clock: { at: number }
  readonly store: Store
  process(): Jobs
}

async function openBench(make: MakeDatabase): Promise<Bench> {
  const database = await make('tables')
  const store = await database.open()
  const clock = { at: 1_000_000 }
  const open: Jobs[] = []
  return {
    clock,
    store,
    process() {
      const jobs = createJobs({ store, clock: { now: () => clock.at }, log: quiet, stopMs: 100 })
      open.push(jobs)
      return jobs
    },
    async [Symbol.asyncDispose]() {
      for (const jobs of open) await jobs.stop()
      await store.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** Work that ends when it is told to, or when its job is cancelled. */
const untilCancelled = ({ signal }: JobControl): Promise<string> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('cancelled')), { once: true }))

test(
  'a job ends with its result, and its row says so by the time that the caller is told',
  onEachDatabase(async (make) => {
    await using bench = await openBench(make)
    const job = await bench.process().start(order, async ({ progress }) => {
      progress({ done: 1, total: 2, note: 'half' })
      return '{"item":1}'
    })
    assert.equal(await job.ended, '{"item":1}')
    const row = await findJob(bench.store.read, job.id)
    assert.deepEqual([row?.state, row?.result, row?.runner, row?.attempts], ['done', '{"item":1}', null, 1])
  }),
)

test(
  'what may not be stored of a result is told to the caller and kept nowhere',
  onEachDatabase(async (make) => {
    await using bench = await openBench(make)
    const job = await bench.process().start(order, async () => '{"token":"secret","id":1}', { stored: () => '{"id":1}' })
    assert.equal(await job.ended, '{"token":"secret","id":1}')
    assert.equal((await findJob(bench.store.read, job.id))?.result, '{"id":1}')
  }),
)

test(
  'a job that is cancelled in another process ends with the next look',
  onEachDatabase(async (make) => {
    await using bench = await openBench(make)
    const jobs = bench.process()
    const job = await jobs.start(order, untilCancelled)
    await bench.store.write.updateTable('job').set({ cancel: 1 }).execute()
    await jobs.look()
    await assert.rejects(job.ended, /cancelled/)
    assert.equal((await findJob(bench.store.read, job.id))?.state, 'cancelled')
  }),
)

test(
  'a job whose process died has failed for whoever looks next, and may run again once',
  onEachDatabase(async (make) => {
    await using bench = await openBench(make)
    const dead = await bench.process().start(order, () => new Promise(() => undefined))
    bench.clock.at += 31_000
    const [one, two] = [bench.process(), bench.process()]
    await (
      await one.start(order, async () => '{}')
    ).ended
    const row = await findJob(bench.store.read, dead.id)
    assert.equal(row?.state, 'failed')
    assert.match(row?.error ?? '', /SVC_Jobs\.retry/)
    const runs: string[] = []
    const again = (name: string) => async () => (runs.push(name), '{}')
    const tried = await Promise.allSettled([one.restart(dead.id, again('one')), two.restart(dead.id, again('two'))])
    await until('it ran', () => runs.length > 0)
    assert.deepEqual(tried.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.equal(runs.length, 1)
  }),
)

test(
  'a process that slept past its lease ends what it ran',
  onEachDatabase(async (make) => {
    await using bench = await openBench(make)
    const jobs = bench.process()
    const job = await jobs.start(order, untilCancelled)
    bench.clock.at += 31_000
    await (
      await bench.process().start(order, async () => '{}')
    ).ended
    await jobs.look()
    await assert.rejects(job.ended)
    assert.equal((await findJob(bench.store.read, job.id))?.state, 'failed')
  }),
)

test(
  'a job whose process died is failed by the next look of any process, and its key is free again',
  onEachDatabase(async (make) => {
    await using bench = await openBench(make)
    const job = await bench.process().start({ ...order, owner: 'token:1', key: 'k' }, untilCancelled)
    const other = bench.process()
    const { read } = bench.store
    assert.equal((await findKeyedJob(read, 'token:1', 'k', bench.clock.at))?.id, job.id)
    bench.clock.at += 31_000
    assert.equal(await findKeyedJob(read, 'token:1', 'k', bench.clock.at), undefined)
    await other.look()
    assert.equal((await findJob(read, job.id))?.state, 'failed')
  }),
)

test(
  'a lease that is renewed outlives its first term',
  onEachDatabase(async (make) => {
    await using bench = await openBench(make)
    const jobs = bench.process()
    const job = await jobs.start(order, untilCancelled)
    for (let i = 0; i < 4; i++) {
      bench.clock.at += 20_000
      await jobs.look()
    }
    await (
      await bench.process().start(order, async () => '{}')
    ).ended
    assert.equal((await findJob(bench.store.read, job.id))?.state, 'running')
    job.cancel()
    await assert.rejects(job.ended)
  }),
)

test(
  'jobs that ended are forgotten after a week',
  onEachDatabase(async (make) => {
    await using bench = await openBench(make)
    const jobs = bench.process()
    const old = await jobs.start(order, async () => '{}')
    await old.ended
    bench.clock.at += 8 * 24 * 60 * 60_000
    await removeExpired({ store: bench.store, clock: { now: () => bench.clock.at } })
    assert.equal(await findJob(bench.store.read, old.id), undefined)
  }),
)
