// Calls that may outlast their answer: run as jobs behind dispatch, and seen, waited for, cancelled and run again by SVC_Jobs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { action } from '../../src/actions/call/action.ts'
import { jobs } from '../../src/actions/jobs/index.ts'
import { noSecondFactor } from '../../src/identity/account-store.ts'
import { until } from '../until.ts'
import { type BareSite, openBareSite, tokenOf } from './bare-site.ts'

/** Work whose end the test decides. */
function createSlow() {
  const runs: { end(): void }[] = []
  const slow = action('Test.slow', {
    title: 'Test',
    summary: 'For a test.',
    did: 'tested',
    tier: 'content',
    effect: 'act',
    touches: 'nothing',
    job: true,
    secrets: ['password', 'token'],
    input: Type.Object(
      { name: Type.String({ maxLength: 100 }), password: Type.Optional(Type.String({ maxLength: 100 })) },
      { additionalProperties: false },
    ),
    output: Type.Object({}) as never,
    examples: [],
    failures: [],
    async prepare({ signal, progress }) {
      progress?.({ done: 1, total: 4 })
      await new Promise<void>((resolve, reject) => {
        runs.push({ end: resolve })
        signal.addEventListener('abort', () => reject(new Error('told to end')), { once: true })
      })
    },
    async run({ change }, { name }) {
      await change.insert('setting', { key: name, value: '1' })
      return { name, token: 'shown once', warnings: [], activity_id: null } as never
    },
  })
  return { slow, runs }
}

const atOnce = { jobWaitMs: 0 }

async function begin(site: BareSite, input = {}, as = tokenOf('content')): Promise<string> {
  const outcome = await site.run('Test.slow', { name: 'a', ...input }, as, atOnce)
  assert(outcome.ok, JSON.stringify(outcome))
  return (outcome.data.parse() as { job: { id: string } }).job.id
}

test('a call that is done in time is answered as any other, and its job is done', async () => {
  const { slow, runs } = createSlow()
  await using site = await openBareSite([slow, ...Object.values(jobs)])
  const answer = site.ok('Test.slow', { name: 'a' })
  await until('it runs', () => runs.length === 1)
  runs[0]?.end()
  assert.deepEqual(Object.keys(await answer).sort(), ['activity_id', 'name', 'token', 'warnings'])
  const [row] = await site.rows('job')
  assert.equal(row?.state, 'done')
  assert.doesNotMatch(row?.result ?? '', /shown once/)
})

test('a call that takes longer is answered by its job, which waits, tells its progress, and has the result; one activity record tells of it', async () => {
  const { slow, runs } = createSlow()
  await using site = await openBareSite([slow, ...Object.values(jobs)])
  const id = await begin(site)
  const running = (await site.ok('SVC_Jobs.get', { id })).item
  assert.deepEqual([running.call, running.state, running.by], ['Test.slow', 'running', 'Owner'])
  assert.deepEqual(running.progress, { done: 1, total: 4 })
  const waited = site.ok('SVC_Jobs.get', { id, wait: 20 })
  runs[0]?.end()
  const { item } = await waited
  assert.equal(item.state, 'done')
  assert.equal(item.result.name, 'a')
  const records = await site.rows('activity')
  assert.deepEqual([records.map(({ call }) => call), records[0]?.id], [['Test.slow'], item.result.activity_id])
})

test('a job is seen by its own token and by an admin, and by nobody else', async () => {
  const { slow } = createSlow()
  await using site = await openBareSite([slow, ...Object.values(jobs)])
  const id = await begin(site)
  const stranger = tokenOf('content', 'other')
  assert.equal((await site.fails('SVC_Jobs.get', { id }, stranger)).code, 'not_found')
  assert.equal((await site.fails('SVC_Jobs.cancel', { id }, stranger)).code, 'not_found')
  assert.deepEqual((await site.ok('SVC_Jobs.list', {}, stranger)).items, [])
  assert.equal((await site.ok('SVC_Jobs.list', {}, tokenOf('admin'))).items[0].id, id)
  const limited = tokenOf('admin', 'limited')
  assert(limited.token)
  const toClass = { ...limited, token: { ...limited.token, limits: { classes: ['SVC_Jobs'] } } }
  assert.deepEqual((await site.ok('SVC_Jobs.list', {}, toClass)).items, [])
})

test('a cancelled job leaves nothing, and runs again when it is asked to', async () => {
  const { slow, runs } = createSlow()
  await using site = await openBareSite([slow, ...Object.values(jobs)])
  const id = await begin(site)
  await site.ok('SVC_Jobs.cancel', { id })
  const { item } = await site.ok('SVC_Jobs.get', { id, wait: 20 })
  assert.equal(item.state, 'cancelled')
  assert.deepEqual(await site.rows('setting'), [])
  assert.equal((await site.fails('SVC_Jobs.cancel', { id })).code, 'conflict')
  assert.equal((await site.ok('SVC_Jobs.retry', { id })).item.state, 'running')
  assert.equal((await site.fails('SVC_Jobs.retry', { id })).code, 'conflict')
  runs[1]?.end()
  const again = (await site.ok('SVC_Jobs.get', { id, wait: 20 })).item
  assert.deepEqual([again.state, again.attempts, again.result.name], ['done', 2, 'a'])
})

test('attack 145: a job ends when its token is revoked, or its account disabled or lowered, meanwhile', async () => {
  const { slow, runs } = createSlow()
  await using site = await openBareSite([slow, ...Object.values(jobs)])
  const { account, token } = tokenOf('content')
  assert(account && token)
  const { write } = site.site.store
  const stamps = { created_at: 1, updated_at: 1, revision: 1 }
  await write
    .insertInto('account')
    .values({
      ...account,
      password_hash: null,
      disabled: 0,
      epoch: 0,
      public: 0,
      enter_breaks: 1,
      proposal_mails: 'hourly',
      ...noSecondFactor,
      ...stamps,
    })
    .execute()
  const { id, name, scope } = token
  const row = { id, name, scope, account_id: account.id, hash: 'h', limits: '{}', expires_at: null, revoked_at: null, ...stamps }
  await write.insertInto('token').values(row).execute()
  const ended = {
    revoked: () => write.updateTable('token').set({ revoked_at: 2 }).execute(),
    lowered: () => write.updateTable('account').set({ role: 'read' }).execute(),
    disabled: () => write.updateTable('account').set({ role: 'admin', disabled: 1 }).execute(),
  }
  for (const [why, end] of Object.entries(ended)) {
    const job = await begin(site, { name: why })
    await site.site.jobs.look()
    assert.equal((await site.ok('SVC_Jobs.get', { id: job })).item.state, 'running')
    await end()
    await site.site.jobs.look()
    assert.equal((await site.ok('SVC_Jobs.get', { id: job, wait: 20 })).item.state, 'cancelled', why)
    await write.updateTable('token').set({ revoked_at: null }).execute()
    await write.updateTable('account').set({ role: 'admin', disabled: 0 }).execute()
  }
  assert.equal(runs.length, 3)
  assert.deepEqual(await site.rows('setting'), [])
})

test('a caller who leaves while waiting ends the job; one who was told of it may leave', async () => {
  const { slow, runs } = createSlow()
  await using site = await openBareSite([slow, ...Object.values(jobs)])
  const gone = new AbortController()
  const answer = site.run('Test.slow', { name: 'a' }, undefined, { signal: gone.signal })
  await until('it runs', () => runs.length === 1)
  gone.abort()
  assert.equal((await answer).ok, false)
  assert.equal((await site.rows('job'))[0]?.state, 'cancelled')
  const told = new AbortController()
  await site.run('Test.slow', { name: 'b' }, undefined, { signal: told.signal, ...atOnce })
  told.abort()
  await until('it runs', () => runs.length === 2)
  runs[1]?.end()
  await until('it is done', async () => (await site.rows('job'))[1]?.state === 'done')
})

test('the same idempotency key finds the running job, and its answer when it is done; another call under it is refused', async () => {
  const { slow, runs } = createSlow()
  await using site = await openBareSite([slow, ...Object.values(jobs)])
  const id = await begin(site, { idempotency_key: 'k' })
  assert.equal(await begin(site, { idempotency_key: 'k' }), id)
  assert.equal((await site.fails('Test.slow', { name: 'b', idempotency_key: 'k' })).code, 'key_reused')
  const waiting = site.ok('Test.slow', { name: 'a', idempotency_key: 'k' })
  await until('it runs', () => runs.length === 1)
  runs[0]?.end()
  const first = await waiting
  assert.equal(runs.length, 1)
  const { id: _job, ...item } = (await site.ok('SVC_Jobs.get', { id })).item
  assert.equal(item.result.activity_id, first.activity_id)
})

test('a key tells another secret apart, although the job stores none', async () => {
  const { slow } = createSlow()
  await using site = await openBareSite([slow, ...Object.values(jobs)])
  const id = await begin(site, { password: 'hunter2', idempotency_key: 'k' })
  assert.equal(await begin(site, { password: 'hunter2', idempotency_key: 'k' }), id)
  const other = await site.fails('Test.slow', { name: 'a', password: 'hunter3', idempotency_key: 'k' })
  assert.equal(other.code, 'key_reused')
  await site.ok('SVC_Jobs.cancel', { id })
  await site.ok('SVC_Jobs.get', { id, wait: 20 })
  assert.equal((await site.fails('SVC_Jobs.retry', { id })).code, 'refused')
  assert.doesNotMatch(JSON.stringify(await site.rows('job')), /hunter/)
})

test('a job whose arguments held a secret keeps none of it and does not run again', async () => {
  const { slow } = createSlow()
  await using site = await openBareSite([slow, ...Object.values(jobs)])
  const id = await begin(site, { password: 'hunter2' })
  await site.ok('SVC_Jobs.cancel', { id })
  await site.ok('SVC_Jobs.get', { id, wait: 20 })
  assert.doesNotMatch(JSON.stringify(await site.rows('job')), /hunter2/)
  assert.equal((await site.fails('SVC_Jobs.retry', { id })).code, 'refused')
})

test('a dry run is no job', async () => {
  const { slow, runs } = createSlow()
  await using site = await openBareSite([slow, ...Object.values(jobs)])
  const tried = site.ok('Test.slow', { name: 'a', dry_run: true })
  await until('it runs', () => runs.length === 1)
  runs[0]?.end()
  await tried
  assert.deepEqual(await site.rows('job'), [])
})
