// Calls a minute, by token or by address.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/base/config.ts'
import { anonymous, type Caller, system, type TokenLimits } from '../../src/identity/caller.ts'
import { createCallRate } from '../../src/identity/token-rate.ts'

const tokenCaller = (id: string, limits: TokenLimits = {}): Caller => ({
  ...anonymous('api', '192.0.2.1'),
  tier: 'read',
  token: { kind: 'personal', id, name: id, scope: 'read', expiresAt: null, limits },
})
const limits = { POSTERN_TOKEN_CALLS_PER_MINUTE: '3', POSTERN_ANONYMOUS_CALLS_PER_MINUTE: '2' }
const allowed = (rate: ReturnType<typeof createCallRate>, caller: Caller, times: number) =>
  Array.from({ length: times }, () => rate.takeCall(caller).allowed)

test('each token has its own calls, and a lower limit of its own counts', () => {
  const rate = createCallRate(readConfig(limits), { now: () => 0 })
  assert.deepEqual(allowed(rate, tokenCaller('a'), 4), [true, true, true, false])
  assert.deepEqual(allowed(rate, tokenCaller('b', { per_minute: 1 }), 2), [true, false])
  assert.deepEqual(allowed(rate, tokenCaller('c', { per_minute: 100 }), 4), [true, true, true, false])
})

test('attack 126: without a token the address counts, of IPv6 its /64', () => {
  const rate = createCallRate(readConfig(limits), { now: () => 0 })
  assert.deepEqual(allowed(rate, anonymous('api', '192.0.2.7'), 3), [true, true, false])
  assert.deepEqual(
    ['2001:db8::1', '2001:db8::2', '2001:db8::3'].map((address) => rate.takeCall(anonymous('mcp', address)).allowed),
    [true, true, false],
  )
  assert.equal(rate.takeCall(anonymous('mcp', '2001:db8:0:1::1')).allowed, true)
})

test('a minute later there are calls again, and what is left is told', () => {
  const clock = { at: 0, now: () => clock.at }
  const rate = createCallRate(readConfig(limits), clock)
  assert.deepEqual(rate.takeCall(tokenCaller('a')), { allowed: true, limit: 3, remaining: 2, resetSeconds: 60 })
  clock.at = 59_000
  assert.deepEqual(rate.takeCall(tokenCaller('a')), { allowed: true, limit: 3, remaining: 1, resetSeconds: 1 })
  clock.at = 60_000
  assert.equal(rate.takeCall(tokenCaller('a')).remaining, 2)
})

test('the site itself is not counted, and with the limits off nobody is', () => {
  const rate = createCallRate(readConfig(limits), { now: () => 0 })
  assert.ok(allowed(rate, system, 10).every(Boolean))
  const off = createCallRate(readConfig({ ...limits, POSTERN_RATE_LIMITS: 'off' }), { now: () => 0 })
  assert.ok(allowed(off, tokenCaller('a'), 10).every(Boolean))
})
