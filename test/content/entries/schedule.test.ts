// What is due gets done, once, through the actions that everybody calls.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dispatch } from '../../../src/actions/call/dispatch.ts'
import type { Services } from '../../../src/actions/call/services.ts'
import { type RunDue, startSchedule } from '../../../src/content/entries/schedule.ts'
import { system } from '../../../src/identity/caller.ts'
import { nobody, openContentSite, start } from '../../actions/content-site.ts'

const runOn =
  (site: Services): RunDue =>
  async (call) =>
    dispatch(site, system, call, { origin: '' })

const hour = 60 * 60 * 1000

test('a scheduled entry is published when it is due, with the time it was scheduled for', async () => {
  await using site = await openContentSite()
  const schedule = startSchedule(site.services, runOn(site.services))
  await site.ok('create', {
    type: 'post',
    title: 'Fair',
    status: 'published',
    published_at: '2026-11-21T10:00:00Z',
    unpublish_at: '2026-11-21T11:00:00Z',
  })
  await schedule.run()
  assert.equal((await site.ok('get', { id: '/fair' })).item.status, 'scheduled')
  site.clock.at = start + hour + 5
  await schedule.run()
  const shown = (await site.ok('get', { id: '/fair' }, nobody)).item
  assert.deepEqual([shown.status, shown.published_at], ['published', '2026-11-21T10:00:00.000Z'])
  site.clock.at = start + 2 * hour
  await schedule.run()
  await schedule.stop()
  const gone = (await site.ok('get', { id: '/fair' })).item
  assert.deepEqual([gone.status, gone.unpublish_at], ['draft', null])
  const { items } = await site.ok('revisions', { id: '/fair' })
  assert.deepEqual(items.map(({ by, via }: { by: string; via: string }) => [by, via]).slice(0, 2), [
    ['Postern', 'system'],
    ['Postern', 'system'],
  ])
})

test('what would begin and end while nobody looked never comes out', async () => {
  await using site = await openContentSite()
  await site.ok('create', {
    type: 'post',
    title: 'Fair',
    status: 'published',
    published_at: '2026-11-21T10:00:00Z',
    unpublish_at: '2026-11-21T11:00:00Z',
  })
  site.clock.at = start + 3 * hour
  const schedule = startSchedule(site.services, runOn(site.services))
  await schedule.run()
  await schedule.stop()
  const { status, revision } = (await site.ok('get', { id: '/fair' })).item
  assert.deepEqual([status, revision], ['draft', 2])
})

test('of two processes one does it', async () => {
  await using site = await openContentSite()
  for (let i = 0; i < 10; i++)
    await site.ok('create', { type: 'post', title: `Post ${i}`, status: 'published', published_at: '2026-11-21T10:00:00Z' })
  const other = await site.other()
  site.clock.at = start + hour
  const schedules = [startSchedule(site.services, runOn(site.services)), startSchedule(other, runOn(other))]
  await Promise.all(schedules.map((schedule) => schedule.run()))
  await Promise.all(schedules.map((schedule) => schedule.stop()))
  assert.equal((await site.ok('list', { where: { status: 'published' }, count: true })).total, 10)
  const { total } = await site.services.store.read
    .selectFrom('activity')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('call', '=', 'SVC_Content.publish')
    .executeTakeFirstOrThrow()
  assert.equal(total, 10)
})

test('while nothing is due and nothing changes, no database is asked', async () => {
  await using site = await openContentSite()
  let asked = 0
  const { store, clock, log, freshness } = site.services
  const counted = {
    get read() {
      return (asked++, store.read)
    },
  } // oxlint-disable-line no-sequences
  const schedule = startSchedule({ store: counted, clock, log, freshness }, runOn(site.services))
  await schedule.run()
  const first = asked
  await schedule.run()
  assert.equal(asked, first)
  await site.ok('create', { type: 'post', title: 'x' })
  await schedule.run()
  assert(asked > first)
  await schedule.stop()
})

test('what was rescheduled between the look and the call is left alone', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'post', title: 'Fair', status: 'published', published_at: '2026-11-21T10:00:00Z' })
  site.clock.at = start + hour
  const schedule = startSchedule(site.services, async (call) => {
    await site.ok('publish', { id: '/fair', at: '2027-01-01' })
    return runOn(site.services)(call)
  })
  await schedule.run()
  await schedule.stop()
  assert.equal((await site.ok('get', { id: '/fair' })).item.status, 'scheduled')
})
