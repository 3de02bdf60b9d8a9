// Whom a secret stands for, and when it stands for nobody.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mintToken } from '../../src/identity/token-store.ts'
import { openTestSite, start, type TestSite } from './open-test-site.ts'
import { until } from '../until.ts'

const create = async (on: TestSite, input: Record<string, unknown> = {}): Promise<{ id: string; secret: string }> => {
  const { item, token } = await on.ok('SVC_Tokens.create', { name: 'script', scope: 'admin', ...input })
  return { id: item.id, secret: token }
}
const ask = (on: TestSite, secret: string, address = '192.0.2.1') => on.site.tokens.authenticate(secret, 'api', address)

test('a secret stands for its account and scope, at once the second time', async () => {
  await using on = await openTestSite()
  const { id, secret } = await create(on, { scope: 'content' })
  const caller = await ask(on, secret)
  assert.equal(caller?.tier, 'content')
  assert.deepEqual(
    [caller?.token?.id, caller?.account?.email, caller?.door, caller?.address],
    [id, 'owner@example.org', 'api', '192.0.2.1'],
  )
  assert.ok(!(ask(on, secret) instanceof Promise))
})

test('what is no secret of ours is nobody, without a query where it can be seen', async () => {
  await using on = await openTestSite()
  assert.equal(await ask(on, mintToken().secret), undefined)
  for (const text of [
    '',
    'pst_',
    'pst_short',
    `psr_${'a'.repeat(43)}`,
    `psc_${'a'.repeat(43)}`,
    `pst_${'a'.repeat(44)}`,
    `pst_${'ä'.repeat(43)}`,
    "pst_' or 1=1 --",
  ]) {
    assert.equal(ask(on, text), undefined, text)
  }
})

test('a revoked token is nobody at once here, and a moment later in another process', async () => {
  await using on = await openTestSite()
  const { id, secret } = await create(on)
  const other = await on.other()
  assert.ok(await ask(on, secret))
  assert.ok(await other.tokens.authenticate(secret, 'api', ''))
  await on.ok('SVC_Tokens.revoke', { ids: [id], expect: 1 })
  assert.equal(await ask(on, secret), undefined)
  await until('the other knows it no more', async () => (await other.tokens.authenticate(secret, 'api', '')) === undefined)
})

test('attack 122: an expired token is nobody, also when the clock goes back an hour or the service starts anew', async () => {
  await using on = await openTestSite()
  const { secret } = await create(on, { expires_at: '2026-11-21T10:00:00Z' })
  const lasting = await create(on)
  assert.ok(await ask(on, secret))
  on.clock.at = start + 3_600_000
  assert.equal(await ask(on, secret), undefined)
  assert.ok(await ask(on, lasting.secret))
  on.clock.at = start + 1000
  assert.equal(await ask(on, secret), undefined)
  on.clock.at = start + 3_600_000
  on.site.tokens.used(lasting.id)
  await on.site.tokens.flush()
  on.clock.at = start + 1000
  assert.equal(await (await on.other()).tokens.authenticate(secret, 'api', ''), undefined)
})

test('a clock that was wrong by more than a day is not believed afterwards', async () => {
  await using on = await openTestSite()
  const { secret } = await create(on, { expires_at: '2026-12-21T10:00:00Z' })
  assert.ok(await ask(on, secret))
  on.clock.at = Date.parse('2030-01-01T00:00:00Z')
  assert.equal(await ask(on, secret), undefined)
  on.clock.at = start
  assert.ok(await ask(on, secret))
})

test('the token of a disabled account is nobody, and a role caps the scope', async () => {
  await using on = await openTestSite()
  const { secret } = await create(on)
  const set = async (patch: { disabled?: number; role?: string }) => {
    await on.site.store.transaction((db) => db.updateTable('account').set(patch).execute())
    on.site.tokens.clear()
  }
  await set({ role: 'read' })
  assert.equal((await ask(on, secret))?.tier, 'read')
  await set({ disabled: 1 })
  assert.equal(await ask(on, secret), undefined)
})

test('a token is good only from the addresses it is limited to', async () => {
  await using on = await openTestSite()
  const { secret } = await create(on, { limits: { addresses: ['203.0.113.0/24', '2001:db8::/48'] } })
  for (const address of ['203.0.113.9', '2001:db8::7']) assert.ok(await ask(on, secret, address), address)
  for (const address of ['203.0.114.9', '2001:db9::7', '', 'unix'])
    assert.equal(await ask(on, secret, address), undefined, address)
})

test('uses are written in one go, the latest stands, and a token that is gone stops nobody', async () => {
  await using on = await openTestSite()
  const { id, secret } = await create(on)
  const gone = await create(on)
  await ask(on, secret)
  await ask(on, gone.secret)
  assert.equal(on.site.tokens.lastUsed(id), start)
  await on.site.store.transaction((db) => db.deleteFrom('token').where('id', '=', gone.id).execute())
  await on.site.tokens.flush()
  const uses = () => on.site.store.read.selectFrom('token_use').selectAll().execute()
  assert.deepEqual(await uses(), [{ token_id: id, used_at: start }])
  on.clock.at = start - 5000
  on.site.tokens.used(id)
  await on.site.tokens.flush()
  assert.deepEqual(await uses(), [{ token_id: id, used_at: start }])
  on.clock.at = start + 5000
  on.site.tokens.used(id)
  await on.site.tokens.close()
  assert.deepEqual(await uses(), [{ token_id: id, used_at: start + 5000 }])
})
