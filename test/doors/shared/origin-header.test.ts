// Which pages may use /mcp/, by the Origin their browser tells; and which header holds a token.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearerOf } from '../../../src/doors/shared/credential.ts'
import { originAllowed } from '../../../src/doors/shared/origin-header.ts'

const policy = { ownHosts: ['example.org', 'www.example.org'], named: null }
const own = { host: 'example.org', ownHost: true }

for (const [rule, origin, allowed] of [
  ['no Origin', undefined, true],
  ['the site itself', 'https://example.org', true],
  ['the site itself over http', 'http://example.org', true],
  ['another own host', 'http://www.example.org', true],
  ['an own host on another port', 'http://www.example.org:8080', true],
  ['any page over https', 'https://claude.ai', true],
  ['a page on loopback', 'http://localhost:6274', true],
  ['a page on 127.0.0.1', 'http://127.0.0.1', true],
  ['a page on [::1]', 'http://[::1]:3000', true],
  ['a foreign page over http', 'http://evil.example', false],
  ['a host that begins like an own one', 'http://example.org.evil.example', false],
  ['a host that begins like loopback', 'http://localhost.evil.example', false],
  ['null', 'null', false],
  ['an empty one', '', false],
  ['a browser extension', 'chrome-extension://abc', false],
  ['a file', 'file://', false],
  ['one with a path', 'https://claude.ai/x', false],
  ['one with a user', 'https://localhost@evil.example', false],
  ['two in one', 'https://a.example, https://b.example', false],
] as const) {
  test(`Origin: ${rule} → ${allowed ? 'may call' : 'may not'}`, () => assert.equal(originAllowed(origin, own, policy), allowed))
}

test('attack 19: a page of a host that only a header vouches for may not call', () => {
  const foreign = { host: 'evil.example', ownHost: false }
  for (const origin of ['http://evil.example', 'https://evil.example']) {
    assert.equal(originAllowed(origin, foreign, { ownHosts: undefined, named: null }), false, origin)
  }
})

test('origins that the owner has named take the place of loopback and https, never of the site itself', () => {
  const named = { ...policy, named: ['https://claude.ai', 'http://tool.example'] }
  for (const [origin, allowed] of [
    ['https://claude.ai', true],
    ['http://tool.example', true],
    ['https://other.example', false],
    ['http://localhost', false],
    ['https://example.org', true],
  ] as const)
    assert.equal(originAllowed(origin, own, named), allowed, origin)
})

for (const [rule, header, token] of [
  ['no header', undefined, undefined],
  ['a bearer token', 'Bearer abc', 'abc'],
  ['the scheme in any case', 'bEARER abc', 'abc'],
  ['several spaces', 'Bearer   abc ', 'abc'],
  ['a token with a space in it is one, and no good', 'Bearer a b', 'a b'],
  ['the scheme alone', 'Bearer', undefined],
  ['the scheme and a space', 'Bearer ', undefined],
  ['Basic', 'Basic YTpi', undefined],
  ['a word that begins so', 'Bearerabc', undefined],
] as const) {
  test(`Authorization: ${rule} → ${token ?? 'no token'}`, () => assert.equal(bearerOf(header), token))
}
