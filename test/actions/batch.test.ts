// SVC_API.batch on actions made up for it: all or none, each at its own tier, one record of them all.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { action } from '../../src/actions/action.ts'
import { batch } from '../../src/actions/classes/batch.ts'
import { openBareSite, tokenOf } from './bare-site.ts'
import { get, mint, purge, put } from './made-up.ts'

const admin = tokenOf('admin')
const shout = action({
  class: 'Test',
  name: 'shout',
  summary: 'For a test.',
  tier: 'content',
  effect: 'write',
  touches: 'site',
  output: Type.Object({}) as never,
  examples: [],
  input: Type.Object({ key: Type.String(), value: Type.String() }, { additionalProperties: false }),
  prepare: async (_context, { value }) => value.toUpperCase(),
  async run({ change }, { key }, loud) {
    await change.insert('setting', { key, value: JSON.stringify(loud) })
    return { item: { id: key, value: loud } } as never
  },
})
const notes = [put, get, mint, purge, shout, batch]
const at = (name: string, input: Record<string, unknown>, more = {}) => ({
  class: 'Test',
  action: name,
  arguments: input,
  ...more,
})

test('the calls run in order, in one transaction, with one record of all that ran', async () => {
  await using site = await openBareSite(notes)
  const calls = [at('put', { key: 'a', value: 'x' }), at('put', { key: 'a', value: 'y' }), at('get', { key: 'a' })]
  const { results, activity_id: id } = await site.ok('SVC_API.batch', { calls })
  assert.deepEqual(results[2].item, { id: 'a', value: 'y', revision: 2 })
  const [record, ...others] = await site.rows('activity')
  assert.equal(others.length, 0)
  assert.deepEqual([record?.id, record?.runs, record?.tier, record?.effect], [id, '["Test.put"]', 'content', 'write'])
  assert.equal(site.committed.length, 1)
})

test('a record has the strongest tier and effect of what ran', async () => {
  await using site = await openBareSite(notes)
  await site.ok('SVC_API.batch', { calls: [at('mint', { name: 'm' }), at('put', { key: 'a', value: 'x' })] }, admin)
  const [record] = await site.rows('activity')
  assert.deepEqual([record?.tier, record?.effect], ['admin', 'act'])
})

test('where one call fails nothing is kept, and its place is told', async () => {
  await using site = await openBareSite(notes)
  for (const [second, code, field] of [
    [at('put', { key: 'b' }), 'invalid', 'calls.1.arguments.value'],
    [at('put', { key: '$0.item.nonsense', value: 'x' }), 'invalid', 'calls.1'],
    [at('get', { key: 'nowhere' }), 'not_found', 'calls.1'],
    [at('get', { key: 'a' }, { if_revision: 1 }), 'invalid', 'calls.1.if_revision'],
    [at('put', { key: 'a', value: 'y' }, { if_revision: 7 }), 'conflict', 'calls.1'],
    [at('mint', { name: 'm' }), 'unknown_action', 'calls.1'],
    [at('invented', {}), 'unknown_action', 'calls.1'],
    [{ action: 'SVC_API.batch', arguments: { calls: [] } }, 'refused', 'calls.1'],
  ] as const) {
    const failure = await site.fails('SVC_API.batch', { calls: [at('put', { key: 'a', value: 'x' }), second] })
    assert.deepEqual([failure.code, failure.field], [code, field])
    for (const table of ['setting', 'activity', 'version'] as const) assert.deepEqual(await site.rows(table), [])
  }
  const destroying = { calls: [at('purge', { key: 'a', expect: 1 })] }
  assert.equal((await site.fails('SVC_API.batch', destroying, admin)).code, 'refused')
})

test('a stale revision within a batch is told with what changed since', async () => {
  await using site = await openBareSite(notes)
  await site.ok('Test.put', { key: 'a', value: 'one' })
  await site.ok('Test.put', { key: 'a', value: 'two' })
  const { code, changes } = await site.fails('SVC_API.batch', {
    calls: [at('put', { key: 'a', value: 'three' }, { if_revision: 1 })],
  })
  assert.equal(code, 'conflict')
  assert.deepEqual(
    (changes as { revision: number }[]).map(({ revision }) => revision),
    [2],
  )
})

test('a reference takes from an earlier result, also where the call is prepared; two signs stand for one', async () => {
  await using site = await openBareSite(notes)
  const calls = [
    at('put', { key: 'a', value: 'from a' }),
    at('shout', { key: 'b', value: '$0.item.value' }),
    at('shout', { key: 'c', value: '$$0.item.value' }),
    at('shout', { key: 'd', value: '$1.50' }),
  ]
  const { results } = await site.ok('SVC_API.batch', { calls })
  assert.deepEqual(
    results.slice(1).map((result: { item: { value: string } }) => result.item.value),
    ['FROM A', '$0.ITEM.VALUE', '$1.50'],
  )
  for (const text of ['$0.constructor.name', '$0.__proto__.x', '$0.item.length', '$9.item.id'])
    assert.equal((await site.fails('SVC_API.batch', { calls: [calls[0], at('put', { key: 'x', value: text })] })).code, 'invalid')
})

test('a batch that only reads never waits for the writer', async () => {
  await using site = await openBareSite(notes)
  await site.ok('Test.put', { key: 'a', value: 'x' })
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const writing = site.site.store.transaction(() => held)
  const { results, activity_id: id } = await site.ok('SVC_API.batch', {
    calls: [at('get', { key: 'a' }), at('get', { key: 'a' })],
  })
  release()
  await writing
  assert.deepEqual([results.length, id], [2, null])
})

test('a dry run of a batch leaves nothing, and its diff is of all calls', async () => {
  await using site = await openBareSite(notes)
  const calls = [at('put', { key: 'a', value: 'x' }), at('put', { key: 'b', value: '$0.item.value' })]
  const { diff, activity_id: id } = await site.ok('SVC_API.batch', { calls, dry_run: true })
  assert.equal(id, null)
  assert.deepEqual(new Set(diff.map((row: { id: string }) => row.id)), new Set(['a', 'b']))
  assert.deepEqual(await site.rows('setting'), [])
})

test('attack 78: a hidden action in a batch is told as an invented one', async () => {
  await using site = await openBareSite(notes)
  const told = async (name: string) => JSON.stringify(await site.fails('SVC_API.batch', { calls: [at(name, { key: 'a' })] }))
  assert.equal((await told('mint')).replaceAll('mint', 'mant'), await told('mant'))
})
