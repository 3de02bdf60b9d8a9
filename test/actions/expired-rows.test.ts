// Expired rows go in slices, by recurring work: no write removes the rows of others, and what is kept for one caller is
// bounded.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { removeExpired } from '../../src/actions/call/expired-rows.ts'
import { maxWaitingLinks } from '../../src/media/upload-link.ts'
import { openTestSite, type TestSite } from '../identity/open-test-site.ts'

let on: TestSite
before(async () => {
  on = await openTestSite()
})
after(() => on[Symbol.asyncDispose]())

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const numbers = (count: number) =>
  sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)}) select`
const insert = (into: string, count: number, values: string) =>
  sql`insert into ${sql.raw(into)} select * from (${numbers(count)} ${sql.raw(values)} from n) made`.execute(on.site.store.write)
const count = async (table: 'preview' | 'upload_link' | 'idempotency' | 'job' | 'sign_in_attempt') =>
  (
    await on.site.store.read
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
  ).rows
const text = (column: string) => `${column} || cast(i as text)`

test('attack 157: no write removes what expired, the work removes all of it, and what has not expired stays', async () => {
  const past = on.clock.at - 2 * dayMs
  await insert('preview (id, entry, bytes, expires_at)', 3000, `${text("'p'")}, '', 0, cast(${past} as bigint)`)
  await insert(
    'upload_link (id, hash, caller, input, max_bytes, expires_at)',
    3000,
    `${text("'u'")}, ${text("'u'")}, '{}', '{}', 1, cast(${past} as bigint)`,
  )
  await insert(
    'idempotency (owner, key, input_hash, answer, at)',
    3000,
    `'old', ${text("'k'")}, '', '{}', cast(${past} as bigint)`,
  )
  await insert('sign_in_attempt (bucket, count, ends_at)', 1200, `${text("'b'")}, 1, cast(${past} as bigint)`)
  const keyed = { type: 'page', title: 'Keyed', idempotency_key: 'fresh' }
  const { item } = await on.ok('SVC_Content.create', keyed)
  await on.ok('SVC_Content.preview', { id: item.id })
  await on.ok('SVC_Media.begin-upload', { filename: 'a.txt', bytes: 1 })
  assert.deepEqual(
    [await count('preview'), await count('upload_link'), await count('idempotency'), await count('sign_in_attempt')],
    [3001, 3001, 3001, 1200],
  )
  assert.equal((await removeExpired(on.site)).removed, 10_200)
  assert.deepEqual(
    [await count('preview'), await count('upload_link'), await count('idempotency'), await count('sign_in_attempt')],
    [1, 1, 1, 0],
  )
  assert.equal((await on.ok('SVC_Content.create', keyed)).item.id, item.id)
})

test('a key that is no longer kept can be used anew before its row is gone', async () => {
  const first = await on.ok('SVC_Content.create', { type: 'page', title: 'One', idempotency_key: 'again' })
  on.clock.at += dayMs + 1
  const second = await on.ok('SVC_Content.create', { type: 'page', title: 'Two', idempotency_key: 'again' })
  assert.notEqual(second.item.id, first.item.id)
})

test('attack 157: of the stored answers of one caller the latest 20,000 stay', async () => {
  await insert(
    'idempotency (owner, key, input_hash, answer, at)',
    20_700,
    `'busy', ${text("'k'")}, '', '{}', cast(${on.clock.at} as bigint) + i`,
  )
  await removeExpired(on.site)
  const kept = await on.site.store.read.selectFrom('idempotency').select('at').where('owner', '=', 'busy').orderBy('at').execute()
  assert.deepEqual([kept.length, kept[0]?.at], [20_000, on.clock.at + 701])
})

test('attack 157: one caller has at most so many unused upload links', async () => {
  const caller = on.as('content')
  const begin = { filename: 'a.txt', bytes: 1 }
  await on.ok('SVC_Media.begin-upload', begin, caller)
  await insert(
    'upload_link (id, hash, caller, input, max_bytes, expires_at, owner)',
    maxWaitingLinks - 1,
    `${text("'m'")}, ${text("'m'")}, '{}', '{}', 1, cast(${on.clock.at + hourMs} as bigint), 'token:token-content'`,
  )
  assert.equal((await on.fails('SVC_Media.begin-upload', begin, caller)).code, 'refused')
  await on.ok('SVC_Media.begin-upload', begin)
  on.clock.at += hourMs
  await on.ok('SVC_Media.begin-upload', begin, caller)
})

test('attack 157: one caller has at most 1,000 proposals that wait', async () => {
  const caller = on.as('content', { ask: ['*'] })
  const propose = { type: 'page', title: 'Asked' }
  const waiting = await on.ok('SVC_Content.create', propose, caller)
  const [row] = await on.site.store.read.selectFrom('proposal').selectAll().where('id', '=', waiting.proposal.id).execute()
  assert.ok(row)
  for (let at = 0; at < 999; at += 333)
    await on.site.store.write
      .insertInto('proposal')
      .values(Array.from({ length: 333 }, (_, place) => ({ ...row, id: `copy ${at + place}` })))
      .execute()
  const failure = await on.fails('SVC_Content.create', { ...propose, title: 'Asked anew' }, caller)
  assert.deepEqual([failure.code, failure.message], ['refused', 'You already have 1000 proposals waiting.'])
})
