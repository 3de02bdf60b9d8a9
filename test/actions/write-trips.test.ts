// What a write costs in trips to the database's thread, and that queued statements fail the call that they are part of.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { action } from '../../src/actions/call/action.ts'
import { batch } from '../../src/actions/api/batch.ts'
import { countTrips } from '../store/count-trips.ts'
import { openBareSite } from './bare-site.ts'
import { onlySqlite } from '../sqlite-only.ts'
import { type ContentSite, openContentSite } from './content-site.ts'
import { declared } from './made-up.ts'

let site: ContentSite
before(async () => (site = await openContentSite()))
after(() => site[Symbol.asyncDispose]())

let made = 0
const post = (more: Record<string, unknown> = {}) => ({ type: 'post', title: `Post ${++made}`, body: 'A *text*.', ...more })
const keyed = () => post({ idempotency_key: `key-${made}` })

/** `postgres-waits.test.ts` counts those to PostgreSQL. */
const trips = onlySqlite('a thread that each statement is a trip to')

test('a create takes four trips to the database, and one more with an idempotency key', trips, async () => {
  for (let round = 0; round < 2; round++) {
    await site.ok('create', post())
    await site.ok('create', keyed())
  }
  const each = 'begin, the path, all rows with the counter, commit'
  assert.equal(await countTrips(() => site.ok('create', post())), 4, each)
  assert.equal(await countTrips(() => site.ok('create', keyed())), 5, `${each}, and the key`)
})

test('an update takes five trips to the database', trips, async () => {
  const { item } = await site.ok('create', post())
  const update = () => site.ok('update', { id: item.id, title: `Title ${++made}` })
  await update()
  await update()
  assert.equal(await countTrips(update), 5, 'begin, the entry, its row, its history and record with the counter, commit')
})

/** Adds a note without looking whether there is one, so that only the database refuses the second. */
const add = action('Test.add', {
  ...declared,
  tier: 'content',
  effect: 'write',
  input: Type.Object({ key: Type.String() }),
  async run({ change }, { key }) {
    await change.insert('setting', { key, value: '1' })
    return {} as never
  },
})

const addNote = (key: string) => ({ action: 'Test.add', arguments: { key } })

test('a call fails with the failure of a statement that nobody waited for, and writes nothing', async () => {
  await using bare = await openBareSite([batch, add] as never)
  await bare.ok('Test.add', { key: 'a' })
  for (const options of [{}, { idempotency_key: 'k' }, { dry_run: true }]) {
    const failure = await bare.fails('Test.add', { key: 'a', ...options })
    assert.deepEqual([failure.code, failure.field], ['exists', 'key'])
  }
  assert.deepEqual([(await bare.rows('setting')).length, (await bare.rows('activity')).length], [1, 1])
  assert.deepEqual(await bare.rows('idempotency'), [])
})

test('a batch names the call whose statement failed, and writes nothing', async () => {
  await using bare = await openBareSite([batch, add] as never)
  const calls = [addNote('a'), addNote('a'), addNote('b')]
  for (const options of [{}, { dry_run: true }]) {
    const failure = await bare.fails('SVC_API.batch', { calls, ...options })
    assert.deepEqual([failure.code, failure.field], ['exists', 'calls.1.arguments.key'])
  }
  assert.deepEqual(await bare.rows('setting'), [])
})
