// Addresses, what limits count by, the limits themselves, and the folding of paths that must never be served.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../properties.ts'
import { createAddressSet, parseAddress, rateKey } from '../../src/http/addresses.ts'
import { foldPath } from '../../src/http/fold-path.ts'
import { createLimiter } from '../../src/http/rate-limit.ts'

for (const [text, address] of [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:0201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['2001:DB8::1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['2001:db8::ffff:1', '2001:db8::ffff:1'],
  ['192.0.2.1.example', undefined],
  ['127.1', undefined],
  ['', undefined],
] as const) {
  test(`the address of ${JSON.stringify(text)} is ${String(address)}`, () => assert.equal(parseAddress(text), address))
}

test('attack 126: all of one /64 count as one, IPv4 in IPv6 as IPv4', () => {
  assert.equal(rateKey('2001:db8:1:2::1'), rateKey('2001:db8:1:2:ffff:ffff:ffff:ffff'))
  assert.equal(rateKey('2001:db8:1:2::1'), rateKey('2001:0db8:0001:0002:0:0:192.0.2.1'))
  assert.notEqual(rateKey('2001:db8:1:2::1'), rateKey('2001:db8:1:3::1'))
  assert.equal(rateKey('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(rateKey('unix'), 'unix')
})

test('an address set holds addresses, ranges and words', () => {
  const holds = createAddressSet(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', 'unix', 'loopback'])
  for (const address of ['10.255.0.1', '192.0.2.1', '2001:db8:ffff::1', 'unix', '127.3.2.1', '::1'])
    assert.ok(holds(address), address)
  for (const address of ['11.0.0.1', '192.0.2.2', '2001:db9::1']) assert.ok(!holds(address), address)
  assert.throws(() => createAddressSet(['10.0.0']), /neither an address nor a range/)
})

test('a limiter takes so many a window, and tells when the next begins', () => {
  let now = 1_000_000
  const limiter = createLimiter({ limit: 2, windowMs: 60_000, maxKeys: 10, clock: { now: () => now } })
  assert.deepEqual(limiter.take('a'), { allowed: true, limit: 2, remaining: 1, resetSeconds: 60 })
  now += 30_500
  assert.deepEqual(limiter.take('a'), { allowed: true, limit: 2, remaining: 0, resetSeconds: 30 })
  assert.deepEqual(limiter.take('a'), { allowed: false, limit: 2, remaining: 0, resetSeconds: 30 })
  assert.equal(limiter.take('b').allowed, true)
  now += 30_000
  assert.equal(limiter.take('a').remaining, 1)
})

test('a limiter gives back, and a clock that goes back locks nobody out', () => {
  let now = 1_000_000
  const limiter = createLimiter({ limit: 1, windowMs: 1000, maxKeys: 10, clock: { now: () => now } })
  limiter.take('a')
  limiter.giveBack('a')
  assert.equal(limiter.take('a').allowed, true)
  now -= 3_600_000
  assert.equal(limiter.take('a').allowed, true)
})

test('attack 126: a million keys take the room of maxKeys', () => {
  const limiter = createLimiter({ limit: 1, windowMs: 60_000, maxKeys: 1000, clock: { now: () => 0 } })
  for (let key = 0; key < 1_000_000; key++) limiter.take(String(key))
  assert.equal(limiter.size, 1000)
})

const logs = '/user-content/logs/x'
for (const spelling of [
  '/user-content/logs/x',
  '/User-Content/LOGS/x',
  '//user-content//logs//x',
  '/user-content%2Flogs%2fx',
  '/user-content\\logs\\x',
  '/user-content%5clogs/x',
  '/user-%63ontent/%6Cogs/x',
  '/a/../user-content/logs/x',
  '/a/%2e%2e/user-content/./logs/x',
  '/user-content/logs;a=b/x',
  '/user-content/logs./x',
  '/user-content/logs%20/x',
  '/user-content/logs%00.png/x',
  '/../../user-content/logs/x',
  '/user-content/logs/x/',
]) {
  test(`attack 129: ${spelling} is folded to the protected folder`, () => assert.equal(foldPath(spelling), logs))
}

test('folding decodes once', () => assert.equal(foldPath('/user-content/%256cogs/x'), '/user-content/%6cogs/x'))

test('folding fails for nothing, and what is folded stays so but for further escapes', () =>
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('/', '.', '%', '2', 'e', 'F', '5', 'c', '\\', ';', ' ', 'A', 'é', '\0') }),
      (path) => {
        const folded = foldPath(path)
        assert.ok(folded.startsWith('/'))
        if (!folded.includes('%')) assert.equal(foldPath(folded), folded)
      },
    ),
    { numRuns: 2000 },
  ))
