// The one commit path: what commits together, what is told after it, and what becomes of a failure on either side of the commit.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commit, recordChange, type Recording } from '../../src/actions/call/commit.ts'
import { Failure } from '../../src/base/failure.ts'
import { type BareSite, openBareSite, tokenOf } from './bare-site.ts'

const recordingAt = ({ clock }: BareSite): Recording => ({
  caller: tokenOf('admin'),
  call: 'SVC_Settings.test',
  effect: 'act',
  summary: 'Sets something up.',
  input: {},
  now: clock.at,
})

const set = (site: BareSite, also?: () => void) =>
  commit(site.site, 'SVC_Settings.test', async (open) => {
    const row = await recordChange(open, recordingAt(site), (change) => change.insert('setting', { key: 'test', value: '1' }))
    open.afterCommit(() => also?.())
    return row
  })

test('a change outside an action commits with its record and its counter, and the caches are told', async () => {
  await using site = await openBareSite([])
  const row = await set(site)
  assert.equal(row.revision, 1)
  assert.deepEqual(
    (await site.rows('activity')).map(({ call, effect }) => [call, effect]),
    [['SVC_Settings.test', 'act']],
  )
  assert.deepEqual(await site.rows('version'), [{ area: 'settings', counter: 1 }])
  assert.equal(site.committed.length, 1)
})

test('a change outside an action is answered though the caches could not be told: it is committed, and the log has the fault', async () => {
  let ran = false
  await using site = await openBareSite([], { told: () => Promise.reject(new Error('no reload')) })
  assert.equal((await set(site, () => (ran = true))).key, 'test')
  assert.equal((await site.rows('setting')).length, 1)
  assert.ok(ran, 'what follows the caches runs all the same')
  assert.match(site.lines.join('\n'), /not done after the commit.*SVC_Settings\.test.*no reload/s)
})

test('a change outside an action that fails leaves nothing, and nobody is told', async () => {
  await using site = await openBareSite([])
  const failing = commit(site.site, 'SVC_Settings.test', async (open) => {
    await recordChange(open, recordingAt(site), (change) => change.insert('setting', { key: 'test', value: '1' }))
    open.afterCommit(() => assert.fail('nothing follows what was not committed'))
    throw new Failure('conflict', 'Somebody was faster.')
  })
  await assert.rejects(failing, /faster/)
  for (const table of ['setting', 'activity', 'version'] as const) assert.deepEqual(await site.rows(table), [])
  assert.deepEqual(site.committed, [])
})
