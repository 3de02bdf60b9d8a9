// Which redirect URIs can be registered, and which of them a request may name.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../properties.ts'
import { redirectHost, redirectUriAllowed, redirectUriFault, redirectWith } from '../../../src/doors/oauth/redirect-uri.ts'

const right = [
  'https://claude.ai/api/mcp/auth_callback',
  'https://chatgpt.com/connector/oauth/AbC-123_x',
  'https://example.org',
  'https://example.org:8443/cb?tenant=1&x=%20y',
  'https://xn--mnchen-3ya.example/cb',
  'https://[2001:db8::1]/cb',
  'http://localhost/callback',
  'http://localhost:3118/callback',
  'http://127.0.0.1:3334/oauth/callback',
  'http://[::1]:9/cb',
  'http://localhost:3118',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'vscode://dynamicauthprovider/redirect',
  'com.example.app:/oauth2redirect',
  'com.example.app://callback',
]

for (const uri of right) test(`can be registered: ${uri}`, () => assert.equal(redirectUriFault(uri), undefined))

const wrong: Readonly<Record<string, readonly string[]>> = {
  'attack 25': [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'javascript://x/%0aalert(1)',
    ' java\tscript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'data://x/y',
    'vbscript:x',
    'vbscript://x/y',
    'blob:https://example.org/x',
    'blob://x/y',
    'file:///etc/passwd',
    'file://host/x',
    'about:blank',
    'view-source://x/y',
    'filesystem:https://x/y',
    'ws://localhost/x',
  ],
  'attack 26': [
    'http://example.org/cb',
    'http://localhost@evil/cb',
    'http://localhost:1@evil/cb',
    'http://127.0.0.1.evil/cb',
    'http://127.1/cb',
    'http://0x7f.1/cb',
    'http://2130706433/cb',
    'http://localhost./cb',
    'http://LOCALHOST/cb',
    'http://localhost.evil/cb',
    'http://[::ffff:127.0.0.1]/cb',
    'https:evil',
    'https:/evil/cb',
    'https:///evil/cb',
    'HTTPS://example.org/cb',
    'https://EXAMPLE.org/cb',
    'https://example.org/a/../b',
    'https://example.org/%2e%2e/b',
    'https://example.org:443/cb',
  ],
  'attack 27': [
    'https://example.org/cb#x',
    'https://example.org/cb#',
    'https://user@example.org/cb',
    'https://user:pw@example.org/cb',
    'https://example.org\\@evil/cb',
    'https://example.org/c\\b',
    'https://example.org/c\r\nb',
    'https://example.org/cb\n',
    '\thttps://example.org/cb',
    'https://*.example.org/cb',
    'https://example.org/*',
    'https://example.org/cb?code=1',
    'https://example.org/cb?a=1&state=2',
    'https://example.org/cb?iss=x',
    'https://example.org/cb?%63ode=1',
    'https://example.org/cb?error=x',
    'https://example.org/c%0d%0ab',
    'https://example.org/c%zz',
    'https://exämple.org/cb',
  ],
  'attack 28': [
    'https://a;sandbox,x/cb',
    'https://a,b/cb',
    "https://a'/cb",
    'https://a$b/cb',
    'https://a b/cb',
    'cursor://a;sandbox/cb',
    'cursor://a,b/cb',
    'https://-a/cb',
  ],
  'not absolute, or no way back to an app': [
    '',
    '/cb',
    '//example.org/cb',
    'example.org',
    'mailto:x',
    'app:cb',
    'app:/cb',
    'urn:x:y',
    'https://',
    'ftp://example.org/x',
    '1a://x/y',
  ],
}

for (const [rule, uris] of Object.entries(wrong)) {
  for (const uri of uris) {
    test(`${rule}: ${JSON.stringify(uri)} can't be registered`, () => assert.equal(typeof redirectUriFault(uri), 'string'))
  }
}

test('what can be registered is read by a URL parser as it is written, and never runs anything', () => {
  const texts = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string(),
    fc
      .tuple(fc.constantFrom(...right), fc.nat(60), fc.string({ maxLength: 3 }))
      .map(([uri, at, text]) => uri.slice(0, at) + text + uri.slice(at)),
  )
  fc.assert(
    fc.property(texts, (text) => {
      if (redirectUriFault(text) !== undefined) return
      const url = new URL(text)
      assert.ok([text, `${text}/`].includes(url.href) || url.href.replace('/?', '?') === text)
      assert.ok(!/[\s\\#*<>"'\u007f-\uffff]/.test(text.replaceAll("'", '')), text)
      assert.equal(url.username + url.password + url.hash, '')
      assert.ok(!['javascript:', 'data:', 'file:', 'blob:', 'vbscript:'].includes(url.protocol))
      if (url.protocol === 'http:') assert.ok(['localhost', '127.0.0.1', '[::1]'].includes(url.hostname))
    }),
    { numRuns: 3000 },
  )
})

const registered = [
  'https://app.example/cb?x=1',
  'http://localhost:3118/callback',
  'cursor://anysphere.cursor-mcp/oauth/callback',
]

const asked: readonly (readonly [uri: string, allowed: boolean, why: string])[] = [
  ['https://app.example/cb?x=1', true, 'the very same'],
  ['http://localhost:50123/callback', true, 'another port on loopback (RFC 8252)'],
  ['http://localhost/callback', true, 'no port on loopback'],
  ['https://app.example/cb', false, 'without the query'],
  ['https://app.example/cb?x=2', false, 'another query'],
  ['https://app.example/cb/?x=1', false, 'a slash more'],
  ['https://app.example/CB?x=1', false, 'another case'],
  ['https://app.example/%63b?x=1', false, 'an escape'],
  ['https://app.example/%2e/cb?x=1', false, 'an escaped dot segment'],
  ['https://app.example:8443/cb?x=1', false, 'another port off loopback'],
  ['https://app.example.evil/cb?x=1', false, 'another host'],
  ['http://localhost:3118/callback/', false, 'a slash more on loopback'],
  ['http://localhost:3118/callback?x', false, 'a query more on loopback'],
  ['http://127.0.0.1:3118/callback', false, 'another name of loopback'],
  ['https://localhost:3118/callback', false, 'another scheme'],
  ['http://localhost:3118@evil/callback', false, 'a user that looks like a port'],
  ['http://localhost:99999/callback', false, 'a port that there isn’t'],
  ['http://localhost:3118\n/callback', false, 'a line break'],
  ['cursor://anysphere.cursor-mcp/oauth/callback', true, 'a private scheme'],
  ['cursor://other/oauth/callback', false, 'another host of a private scheme'],
  ['', false, 'nothing'],
]
for (const [uri, allowed, why] of asked) {
  test(`attack 36: ${why} is ${allowed ? 'allowed' : 'refused'}`, () =>
    assert.equal(redirectUriAllowed(registered, uri), allowed))
}

test('attack 36: no edit of a registered address but a loopback port is allowed', () => {
  const edits = fc.tuple(fc.constantFrom(...registered), fc.nat(50), fc.string({ minLength: 1, maxLength: 4 }))
  fc.assert(
    fc.property(edits, ([uri, at, text]) => {
      const other = uri.slice(0, at) + text + uri.slice(at)
      const onlyPort = /^http:\/\/localhost(?::\d+)?\/callback$/.test(other)
      if (redirectUriAllowed(registered, other)) assert.ok(registered.includes(other) || onlyPort, other)
    }),
    { numRuns: 2000 },
  )
})

test('the host that is shown', () => {
  assert.equal(redirectHost('https://claude.ai/api/mcp/auth_callback'), 'claude.ai')
  assert.equal(redirectHost('https://example.org:8443/cb?x=https://other'), 'example.org:8443')
  assert.equal(redirectHost('http://localhost:3118/callback'), 'localhost')
  assert.equal(redirectHost('cursor://anysphere.cursor-mcp/oauth/callback'), 'cursor://anysphere.cursor-mcp')
  assert.equal(redirectHost('com.example.app:/cb'), 'com.example.app:')
})

test('attack 45: parameters are added once, encoded, and the address keeps its own query', () => {
  const state = 'x&code=evil\r\nSet-Cookie: a=b ü'
  for (const [uri, start] of [
    ['https://a.example/cb', 'https://a.example/cb?'],
    ['https://a.example/cb?x=1', 'https://a.example/cb?x=1&'],
    ['https://a.example/cb?', 'https://a.example/cb?'],
  ] as const) {
    const location = redirectWith(uri, { code: 'c', state, iss: undefined })
    assert.ok(location.startsWith(start))
    assert.match(location, /^[\x21-\x7e]+$/)
    const { searchParams } = new URL(location)
    assert.deepEqual(searchParams.getAll('code'), ['c'])
    assert.deepEqual(searchParams.getAll('state'), [state])
    assert.equal(searchParams.has('iss'), false)
  }
})
