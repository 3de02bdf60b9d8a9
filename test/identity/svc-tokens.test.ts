// SVC_Tokens: made once shown once, never above who makes them, tightened, rotated, ended.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { TokenLimits } from '../../src/identity/caller.ts'
import { isAddressRange } from '../../src/identity/token-limits.ts'
import { usesPostgres } from '../postgres.ts'
import { readRows } from '../rows.ts'
import { openTestSite, start } from './open-test-site.ts'

const input = { name: 'script', scope: 'content' }

test('a secret is answered once: not in a dry run, a repeated call, a list or the record', async () => {
  await using on = await openTestSite()
  assert.equal((await on.ok('SVC_Tokens.create', { ...input, dry_run: true })).token, undefined)
  const first = await on.ok('SVC_Tokens.create', { ...input, idempotency_key: 'k1' })
  assert.match(first.token, /^pst_[\w-]{43}$/)
  const again = await on.ok('SVC_Tokens.create', { ...input, idempotency_key: 'k1' })
  assert.deepEqual([again.token, again.item.id], [undefined, first.item.id])
  const told = JSON.stringify([await on.ok('SVC_Tokens.list'), await on.ok('SVC_Activity.get', { id: first.activity_id })])
  assert.ok(!told.includes(first.token) && !told.includes('hash'))
  const { rows } = { rows: await on.site.store.read.selectFrom('idempotency').selectAll().execute() }
  assert.ok(!JSON.stringify(rows).includes('pst_'))
})

test('attack 123: a database dump holds no usable token', async () => {
  await using on = await openTestSite()
  const { token } = await on.ok('SVC_Tokens.create', { ...input, idempotency_key: 'k1' })
  for (const [table, rows] of Object.entries(await readRows(on.home, [])))
    assert.equal(JSON.stringify(rows).includes(token.slice(4)), false, table)
  if (usesPostgres) return
  for (const file of ['postern.db', 'postern.db-wal']) {
    const bytes = await readFile(`${on.home}/data/${file}`)
    assert.equal(bytes.includes(token.slice(4)), false, file)
  }
})

test("a token belongs to the caller's account or the one named, whose role caps its scope", async () => {
  await using on = await openTestSite()
  await on.account('writer@example.org', 'content')
  assert.equal((await on.ok('SVC_Tokens.create', input)).item.account, 'owner@example.org')
  assert.equal((await on.ok('SVC_Tokens.create', { ...input, account: 'Writer@Example.org' })).item.account, 'writer@example.org')
  const refused = await on.fails('SVC_Tokens.create', { ...input, scope: 'admin', account: 'writer@example.org' })
  assert.deepEqual([refused.code, refused.field], ['refused', 'scope'])
  assert.equal((await on.fails('SVC_Tokens.create', { ...input, account: 'nobody@example.org' })).code, 'not_found')
})

test('an expiry is a date ahead; a bare one lasts to its end', async () => {
  await using on = await openTestSite()
  assert.equal(
    (await on.ok('SVC_Tokens.create', { ...input, expires_at: '2026-11-30' })).item.expires_at,
    '2026-11-30T23:59:59.999Z',
  )
  for (const expires_at of ['2026-11-20', 'soon', '', new Date(start).toISOString()]) {
    assert.equal((await on.fails('SVC_Tokens.create', { ...input, expires_at })).field, 'expires_at', expires_at)
  }
})

const badLimits: readonly (readonly [object, string])[] = [
  [{ ask: ['SVC_Content.*', 'SVC_Content.edt'] }, 'limits.ask.1'],
  [{ classes: ['SVC_Contents'] }, 'limits.classes.0'],
  [{ types: ['widget'] }, 'limits.types.0'],
  [{ addresses: ['203.0.113.7', 'nonsense'] }, 'limits.addresses.1'],
  [{ per_minute: 0 }, 'limits.per_minute'],
  [{ drafts: true }, 'limits.drafts'],
]
for (const [limits, field] of badLimits) {
  test(`limits that make no sense are told: ${JSON.stringify(limits)}`, async () => {
    await using on = await openTestSite()
    const failure = await on.fails('SVC_Tokens.create', { ...input, limits })
    assert.deepEqual([failure.code, failure.field], ['invalid', field])
  })
}

test('addresses and ranges are told from other texts', () => {
  for (const good of ['203.0.113.7', '10.0.0.0/8', '0.0.0.0/0', '2001:db8::', '2001:db8::/48', '::1/128'])
    assert.ok(isAddressRange(good), good)
  for (const bad of ['', 'loopback', 'example.org', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/x', '::/129', '10.0.0'])
    assert.ok(!isAddressRange(bad), bad)
})

test('a limited token makes no stronger one: what it leaves out it passes on', async () => {
  await using on = await openTestSite()
  const limits: TokenLimits = {
    classes: ['SVC_Tokens', 'SVC_Content'],
    drafts_only: true,
    addresses: ['10.0.0.0/8'],
    per_minute: 60,
  }
  const limited = on.as('admin', limits)
  assert.deepEqual((await on.ok('SVC_Tokens.create', input, limited)).item.limits, limits)
  const tighter = {
    classes: ['SVC_Content'],
    drafts_only: true,
    addresses: ['10.1.0.0/16', '10.2.3.4'],
    per_minute: 6,
    types: ['post'],
  }
  assert.deepEqual((await on.ok('SVC_Tokens.create', { ...input, limits: tighter }, limited)).item.limits, tighter)
  for (const wider of [
    {},
    { ...limits, classes: ['SVC_Settings'] },
    { ...limits, drafts_only: false },
    { ...limits, addresses: ['10.0.0.0/7'] },
    { ...limits, addresses: ['11.0.0.1'] },
    { ...limits, per_minute: 61 },
  ]) {
    assert.equal(
      (await on.fails('SVC_Tokens.create', { ...input, limits: wider }, limited)).code,
      'refused',
      JSON.stringify(wider),
    )
  }
  const { item } = await on.ok('SVC_Tokens.create', input)
  assert.equal((await on.fails('SVC_Tokens.rotate', { id: item.id }, limited)).code, 'refused')
})

test('an update tightens limits and never loosens them', async () => {
  await using on = await openTestSite()
  const { item } = await on.ok('SVC_Tokens.create', { ...input, limits: { per_minute: 60 } })
  const answer = await on.ok('SVC_Tokens.update', { id: 'script', name: 'robot', limits: { drafts_only: true } })
  assert.deepEqual([answer.item.name, answer.item.limits], ['robot', { per_minute: 60, drafts_only: true }])
  for (const limits of [{ drafts_only: false }, { per_minute: 61 }])
    assert.equal((await on.fails('SVC_Tokens.update', { id: item.id, limits })).code, 'refused')
  assert.equal((await on.fails('SVC_Tokens.update', { id: item.id, name: 'x', if_revision: 1 })).code, 'conflict')
})

test('a rotated token has a successor of the same name; the old secret ends at once, or after the grace', async () => {
  await using on = await openTestSite()
  const ask = (secret: string) => on.site.tokens.authenticate(secret, 'api', '')
  const one = await on.ok('SVC_Tokens.create', input)
  const two = await on.ok('SVC_Tokens.rotate', { id: 'script' })
  assert.deepEqual([two.item.name, two.item.scope, two.replaces.id], ['script', 'content', one.item.id])
  assert.equal(await ask(one.token), undefined)
  const three = await on.ok('SVC_Tokens.rotate', { id: 'script', grace: 60 })
  assert.ok((await ask(two.token)) && (await ask(three.token)))
  on.clock.at += 60_000
  assert.equal(await ask(two.token), undefined)
  assert.ok(await ask(three.token))
  assert.equal((await on.fails('SVC_Tokens.rotate', { id: one.item.id })).code, 'refused')
})

test('revoke ends exactly as many as were meant, and lists show revoked ones only when asked', async () => {
  await using on = await openTestSite()
  const one = await on.ok('SVC_Tokens.create', input)
  const two = await on.ok('SVC_Tokens.create', { ...input, name: 'other' })
  const failure = await on.fails('SVC_Tokens.revoke', { ids: ['script', one.item.id, 'other'], expect: 3 })
  assert.deepEqual([failure.code, failure.expected], ['conflict', 2])
  assert.deepEqual((await on.ok('SVC_Tokens.revoke', { ids: ['script'], expect: 1 })).done, [one.item.id])
  assert.deepEqual((await on.ok('SVC_Tokens.revoke', { ids: [one.item.id, 'other'], expect: 2 })).unchanged, [one.item.id])
  const ids = async (where?: object) =>
    (await on.ok('SVC_Tokens.list', where ? { where } : {})).items.map(({ id }: { id: string }) => id)
  assert.deepEqual(await ids(), [])
  assert.deepEqual(await ids({ revoked_at: { exists: true } }), [two.item.id, one.item.id])
  assert.deepEqual(await ids({ any: [{ revoked_at: { exists: true } }] }), [two.item.id, one.item.id])
  assert.deepEqual(await ids({ name: { in: ['script', 'revoked_at'] } }), [], 'a name that reads like the field')
})

test('attack 90: neither hash nor secret is a field to filter or sort by', async () => {
  await using on = await openTestSite()
  for (const asked of [
    { where: { hash: { gte: 'a' } } },
    { sort: 'hash' },
    { where: { password_hash: 'x' } },
    { where: { any: [{ hash: 'x' }] } },
  ]) {
    assert.equal((await on.fails('SVC_Tokens.list', asked)).code, 'invalid')
  }
})

test('a name that several usable tokens have names none', async () => {
  await using on = await openTestSite()
  await on.ok('SVC_Tokens.create', input)
  await on.ok('SVC_Tokens.create', input)
  const failure = await on.fails('SVC_Tokens.update', { id: 'script', name: 'x' })
  assert.deepEqual([failure.code, failure.found], ['conflict', 2])
})
