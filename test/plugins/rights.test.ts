// What a plugin may do beyond itself: which texts are rights, what they allow, and which no plugin gets.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callRights, describeRight, mayReach, parseRight, sameRights, whyNoRight } from '../../src/plugins/rights.ts'
import { fc } from '../properties.ts'

const good = [
  ['call:SVC_Content.get', 'call SVC_Content.get'],
  ['call:SVC_Content.*', 'call every action of SVC_Content'],
  ['call:SVC_API.list-actions', 'call SVC_API.list-actions'],
  ['call:LEGACY_BRIDGE_Keys.check', 'call LEGACY_BRIDGE_Keys.check'],
  ['reach:api.example.com', 'send requests to api.example.com'],
  ['reach:*.example.com', 'send requests to every host below example.com'],
  ['authenticate', 'say who is let in by X-API-Key'],
] as const

for (const [text, words] of good) {
  test(`the right ${text} is told as “${words}”`, () => {
    const right = parseRight(text)
    assert.ok(right)
    assert.equal(describeRight(right), words)
    assert.equal(whyNoRight(text), undefined)
  })
}

const bad = [
  '', 'call', 'call:', 'call:*', 'call:*.*', 'call:SVC_Content', 'call:SVC_Content.', 'call:SVC_Content.get.x', 'call:SVC_*.get',
  'call: SVC_Content.get', 'call:SVC_Content.get ', 'call:SVC_Content.GET', 'CALL:SVC_Content.get', 'call:__proto__.get',
  'reach:', 'reach:*', 'reach:*.com', 'reach:localhost', 'reach:127.0.0.1', 'reach:0x7f.1', 'reach:a.0x7f', 'reach:[::1]', 'reach:API.example.com',
  'reach:api.example.com:443', 'reach:https://api.example.com', 'reach:api.example.com.', 'reach:*.*.example.com', 'reach:a_b.example.com',
  'reach:api.*.com', 'reach:-a.example.com', 'reach:user@example.com', 'reach:example.com/x', 'Authenticate', 'authenticate:', 'write',
] // prettier-ignore

for (const text of bad) {
  test(`${JSON.stringify(text)} is no right`, () => {
    assert.equal(parseRight(text), undefined)
    assert.match(whyNoRight(text) ?? '', /is no right: it must be "call:SVC_Content\.get"/)
  })
}

const closed = [
  ['call:SVC_Plugins.list', 'SVC_Plugins'],
  ['call:SVC_Plugins.*', 'SVC_Plugins'],
  ['call:SVC_Tokens.create', 'SVC_Tokens'],
  ['call:SVC_Apps.*', 'SVC_Apps'],
  ['call:SVC_Accounts.me', 'SVC_Accounts'],
  ['call:SVC_Backup.list', 'SVC_Backup'],
  ['call:SVC_Mail.test', 'SVC_Mail'],
  ['call:SVC_Webhooks.create', 'SVC_Webhooks'],
  ['call:SVC_API.batch', 'SVC_API.batch'],
  ['call:SVC_API.*', 'SVC_API.batch'],
  ['call:SVC_Activity.undo', 'SVC_Activity.undo'],
  ['call:SVC_Activity.*', 'SVC_Activity.undo'],
  ['call:SVC_Proposals.approve', 'SVC_Proposals.approve'],
  ['call:SVC_Jobs.*', 'SVC_Jobs.retry'],
  ['call:SVC_Import.run', 'SVC_Import.run'],
] as const

for (const [text, name] of closed) {
  test(`attack 114: no plugin gets ${text}, and is told why`, () => {
    assert.equal(parseRight(text), undefined)
    assert.deepEqual(callRights([text]), [])
    assert.ok(whyNoRight(text)?.startsWith(`No plugin may call ${name}: `), whyNoRight(text))
  })
}

test('a call right is passed on as a caller holds it, and nothing else is', () => {
  const may = ['authenticate', 'call:SVC_Content.*', 'reach:example.com', 'call:SVC_Docs.get', 'call:*', 'nonsense']
  assert.deepEqual(callRights(may), ['SVC_Content.*', 'SVC_Docs.get'])
})

test('a host is reached by its name, or below a name with a star', () => {
  const may = ['reach:api.example.com', 'reach:*.example.org']
  const reached = ['api.example.com', 'a.example.org', 'a.b.example.org']
  const refused = [
    'example.com', 'x.api.example.com', 'example.org', 'evilexample.org', 'api.example.com.evil.net', 'API.example.com', 'api.example.com.',
    '.example.org', '..example.org', 'a..example.org', '*.example.org', 'localhost', '127.0.0.1', '',
  ] // prettier-ignore
  assert.deepEqual(
    [...reached, ...refused].filter((host) => mayReach(may, host)),
    reached,
  )
  assert.equal(mayReach([], 'api.example.com'), false)
})

test('attack 116: no host that URL reads as an IP address is a right', () => {
  const part = fc.oneof(
    fc.nat(300).map(String),
    fc.nat(300).map((n) => `0x${n.toString(16)}`),
    fc.constantFrom('a', 'x-1', '*'),
  )
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const host = parts.join('.')
      if (!parseRight(`reach:${host}`)) return
      assert.equal(new URL(`http://${host.replace('*.', 'a.')}`).hostname, host.replace('*.', 'a.'))
      assert.doesNotMatch(new URL(`http://${host.replace('*.', 'a.')}`).hostname, /^[\d.]+$/)
    }),
  )
})

test('rights are the same in any order, and once is as good as twice', () => {
  assert.ok(sameRights(['a', 'b'], ['b', 'a', 'a']))
  assert.ok(!sameRights(['a'], ['a', 'b']))
  assert.ok(!sameRights(['a', 'b'], ['a']))
  assert.ok(sameRights([], []))
})
