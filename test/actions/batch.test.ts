// SVC_API.batch on actions made up for it: all or none, each at its own tier, one record of them all.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { action } from '../../src/actions/call/action.ts'
import { batch } from '../../src/actions/api/batch.ts'
import { openBareSite, tokenOf } from './bare-site.ts'
import { get, mint, purge, put } from './made-up.ts'

const admin = tokenOf('admin')
const shout = action('Test.shout', {
  title: 'Test',
  summary: 'For a test.',
  did: 'tested',
  tier: 'content',
  effect: 'write',
  touches: 'site',
  output: Type.Object({}) as never,
  examples: [],
  failures: [],
  input: Type.Object({ key: Type.String(), value: Type.String() }, { additionalProperties: false }),
  prepares: ['value'],
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
    [at('get', { keys: 'a' }), 'invalid', 'calls.1.arguments.keys'],
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
  await site.ok('Test.put', { key: 'a', value: 'from a' })
  const calls = [
    at('get', { key: 'a' }),
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

/** A read that waits outside the database, as rendering does, and says who holds the writer. */
const slow = action('Test.slow', {
  title: 'Test',
  summary: 'For a test.',
  tier: 'read',
  effect: 'read',
  touches: 'nothing',
  output: Type.Object({}) as never,
  examples: [],
  failures: [],
  input: Type.Object({ key: Type.Optional(Type.String()) }, { additionalProperties: false }),
  async run({ site, inTransaction, db, signal }, { key }) {
    // Waits for ever where the batch holds the writer.
    await site.store.transaction(async () => undefined, signal)
    const row = await db
      .selectFrom('setting')
      .select('value')
      .where('key', '=', key ?? '')
      .executeTakeFirst()
    return { item: { inTransaction, value: row?.value ?? null } } as never
  },
})
const withSlow = [...notes, slow]

test('attack 136: reads of a batch run before its transaction or after its commit, and see the writes before them', async () => {
  await using site = await openBareSite(withSlow)
  await site.ok('Test.put', { key: 'a', value: 'old' })
  const calls = [
    at('slow', { key: 'a' }),
    at('put', { key: 'a', value: 'new' }),
    at('slow', { key: 'a' }),
    at('put', { key: 'b', value: '$1.item.value' }),
    at('slow', { key: '$3.item.id' }),
  ]
  const { results } = await site.ok('SVC_API.batch', { calls })
  assert.deepEqual(
    [0, 2, 4].map((place) => results[place].item),
    ['"old"', '"new"', '"new"'].map((value) => ({ inTransaction: false, value })),
  )
})

test('attack 136: between the reads of a batch others write', async () => {
  await using site = await openBareSite(withSlow)
  const many = Array.from({ length: 24 }, () => at('slow', {}))
  const batch = site.ok('SVC_API.batch', { calls: [...many, at('put', { key: 'a', value: 'x' }), ...many] })
  const others = Array.from({ length: 20 }, (_, i) => site.ok('Test.put', { key: `other-${i}`, value: 'x' }))
  await Promise.all([batch, ...others])
})

test('a read after the commit that fails is told in its place, and the writes stand', async () => {
  await using site = await openBareSite(withSlow)
  const calls = [at('put', { key: 'a', value: 'x' }), at('get', { key: 'nowhere' }), at('get', { key: 'a' })]
  const { results, activity_id: id } = await site.ok('SVC_API.batch', { calls })
  assert.deepEqual([results[1].error.code, results[2].item.value, typeof id], ['not_found', 'x', 'string'])
  assert.equal((await site.rows('setting')).length, 1)
})

test('results that are too long for the answer are left out, and the writes stand', async () => {
  await using site = await openBareSite(withSlow)
  const value = 'x'.repeat(30_000)
  const calls = [at('put', { key: 'a', value }), ...Array.from({ length: 3 }, () => at('get', { key: 'a' }))]
  const { results } = await site.ok('SVC_API.batch', { calls })
  assert.deepEqual(
    results.map((one: { item?: object; error?: { code: string } }) => one.error?.code ?? typeof one.item),
    ['object', 'object', 'too_large', 'too_large'],
  )
})

test('a dry run says which reads it leaves out, and a replay answers what was read', async () => {
  await using site = await openBareSite(withSlow)
  const calls = [at('put', { key: 'a', value: 'x' }), at('get', { key: 'a' })]
  const dry = await site.ok('SVC_API.batch', { calls, dry_run: true })
  assert.equal(typeof dry.results[1].not_run, 'string')
  const first = await site.ok('SVC_API.batch', { calls, idempotency_key: 'k' })
  assert.deepEqual(await site.ok('SVC_API.batch', { calls, idempotency_key: 'k' }), first)
  assert.equal(first.results[1].item.value, 'x')
})

const impossible: readonly (readonly [rule: string, calls: readonly object[], code: string, field: string])[] = [
  [
    'a write that needs a read after a write',
    [at('put', { key: 'a', value: 'x' }), at('get', { key: 'a' }), at('put', { key: 'b', value: '$1.item.value' })],
    'refused',
    'calls.2.arguments.value',
  ],
  [
    'a preparation that needs a write',
    [at('put', { key: 'a', value: 'x' }), at('shout', { key: 'b', value: '$0.item.value' })],
    'refused',
    'calls.1.arguments.value',
  ],
  ['a reference to itself', [at('put', { key: '$0.item.id', value: 'x' })], 'invalid', 'calls.0'],
]

for (const [rule, calls, code, field] of impossible) {
  test(`attack 136: ${rule} is refused before anything is written`, async () => {
    await using site = await openBareSite(withSlow)
    const failure = await site.fails('SVC_API.batch', { calls })
    assert.deepEqual([failure.code, failure.field], [code, field])
    assert.deepEqual(await site.rows('setting'), [])
  })
}

test('what is prepared early may stand beside a reference that is not looked at by then', async () => {
  await using site = await openBareSite(withSlow)
  const calls = [at('put', { key: 'a', value: 'x' }), at('shout', { key: '$0.item.value', value: 'loud' })]
  const { results } = await site.ok('SVC_API.batch', { calls })
  assert.deepEqual(results[1].item, { id: 'x', value: 'LOUD' })
})

test('attack 136: the deadline of a batch holds between its calls', async () => {
  const left = new AbortController()
  /** The caller disconnects during this read, which doesn't look at its signal. */
  const disconnect = action('Test.disconnect', {
    ...slow,
    async run() {
      left.abort()
      return { item: {} } as never
    },
  })
  await using site = await openBareSite([...notes, disconnect])
  const calls = [at('disconnect', {}), at('put', { key: 'a', value: 'x' })]
  const outcome = await site.run('SVC_API.batch', { calls }, undefined, { signal: left.signal })
  assert.equal(outcome.ok ? 'ok' : outcome.failure.code, 'unavailable')
  assert.deepEqual(await site.rows('setting'), [])
})

test('attack 137: each call of a batch counts, and one that is too large counts nothing', async () => {
  await using site = await openBareSite(notes)
  const limited = (perMinute: number) => {
    const caller = tokenOf('content', `limited-${perMinute}`)
    return { ...caller, token: caller.token && { ...caller.token, limits: { per_minute: perMinute } } }
  }
  const calls = Array.from({ length: 50 }, (_, i) => at('put', { key: `k${i}`, value: 'x' }))
  // Here the door, which counts the first call, is left out.
  for (const [perMinute, count, let_in] of [
    [1, 50, false],
    [1, 2, true],
    [10, 12, false],
    [10, 11, true],
  ] as const) {
    const outcome = await site.run('SVC_API.batch', { calls: calls.slice(0, count) }, limited(perMinute))
    assert.equal(outcome.ok ? 'ok' : outcome.failure.code, let_in ? 'ok' : 'rate_limited', `${count} of ${perMinute}`)
    if (!outcome.ok) assert.equal(typeof outcome.failure.detail.retry_after, 'number')
  }
})
