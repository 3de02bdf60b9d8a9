// What becomes of an authorization request, a row a rule.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { readConfig } from '../../../src/base/config.ts'
import { createSiteKey } from '../../../src/identity/site-key.ts'
import { parseAuthorizeRequest } from '../../../src/doors/oauth/authorize-request.ts'
import { makeClientId } from '../../../src/doors/oauth/client-id.ts'
import { denyLocation, errorLocation } from '../../../src/doors/oauth/consent.ts'
import { releaseOf } from '../../../src/base/release.ts'
import { askedOf, authorizeUrl, callback, good } from './flow.ts'

const key = createSiteKey(randomBytes(32))
const site = { key, config: readConfig({}), release: releaseOf('1') }
const base = 'https://example.org'
const clientId = makeClientId(key, { redirectUris: [callback, 'cursor://a/b'], name: 'Claude', refreshes: true, issuedAt: 1 })

type Changes = Parameters<typeof authorizeUrl>[2]
const decide = (changes: Changes, on: typeof site = site) =>
  parseAuthorizeRequest(on, askedOf(authorizeUrl(base, clientId, changes)))

test('a right request is put before the owner as plain JSON', () => {
  const request = good(decide({}))
  assert.deepEqual(JSON.parse(JSON.stringify(request)), {
    clientId,
    clientName: 'Claude',
    redirectUri: callback,
    redirectHost: 'localhost',
    state: 'af0ifjsldkj',
    codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    resource: `${base}/mcp/`,
    scope: 'admin',
    scopeNamed: false,
    wantsRefresh: true,
    issuer: base,
  })
})

const pages: readonly (readonly [rule: string, changes: Changes, page: string, received?: string])[] = [
  ['no client_id', { client_id: undefined }, 'unknown-client'],
  ['an empty client_id', { client_id: '' }, 'unknown-client'],
  ['attack 35: an address as client_id', { client_id: 'https://client.example/metadata.json' }, 'unknown-client'],
  ['attack 33: a client_id with padding', { client_id: `${clientId}=` }, 'unknown-client'],
  ['attack 37: a doubled client_id', { client_id: [clientId, clientId] }, 'unknown-client'],
  ['attack 37: a doubled redirect_uri', { redirect_uri: [callback, callback] }, 'invalid-request'],
  ['attack 37: a doubled state', { state: ['a', 'b'] }, 'invalid-request'],
  ['attack 37: a doubled code_challenge', { code_challenge: ['a', 'b'] }, 'invalid-request'],
  ['no redirect_uri', { redirect_uri: undefined }, 'invalid-redirect', ''],
  [
    'attack 36: a redirect_uri that was not registered',
    { redirect_uri: 'https://evil.example/' },
    'invalid-redirect',
    'https://evil.example/',
  ],
  ['attack 36: a redirect_uri of another path', { redirect_uri: `${callback}/` }, 'invalid-redirect', `${callback}/`],
  ['no resource', { resource: undefined }, 'invalid-resource', ''],
  ['an empty resource', { resource: '' }, 'invalid-resource', ''],
  ['another resource', { resource: 'https://evil.example/mcp/' }, 'invalid-resource', 'https://evil.example/mcp/'],
  [
    'attack 37: a doubled resource, one foreign',
    { resource: [`${base}/mcp/`, 'https://evil.example/'] },
    'invalid-resource',
    'https://evil.example/',
  ],
]
for (const [rule, changes, page, received] of pages) {
  test(`${rule}: a page`, () => {
    const decision = decide(changes)
    assert.ok('page' in decision)
    assert.equal(decision.page, page)
    if (received !== undefined) assert.equal(decision.received, received)
  })
}

test('a fault of the client itself is told before one of the request', () => {
  assert.deepEqual(decide({ client_id: 'x', redirect_uri: 'x', resource: 'x' }), { page: 'unknown-client' })
  assert.deepEqual(decide({ redirect_uri: 'x', resource: 'x' }), { page: 'invalid-redirect', received: 'x' })
})

const errors: readonly (readonly [rule: string, changes: Changes, error: string])[] = [
  ['attack 39: no code_challenge', { code_challenge: undefined }, 'invalid_request'],
  ['attack 39: a code_challenge that is none', { code_challenge: 'short' }, 'invalid_request'],
  ['attack 39: no code_challenge_method', { code_challenge_method: undefined }, 'invalid_request'],
  ['attack 39: the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['attack 40: response_type=token', { response_type: 'token' }, 'unsupported_response_type'],
  ['attack 40: response_type=code token', { response_type: 'code token' }, 'unsupported_response_type'],
  ['no response_type', { response_type: undefined }, 'invalid_request'],
]
for (const [rule, changes, error] of errors) {
  test(`${rule}: ${error}, by redirect with state and iss`, () => {
    const decision = decide(changes)
    assert.ok('redirectError' in decision)
    const location = new URL(errorLocation(decision.redirectError))
    assert.equal(location.origin + location.pathname, callback)
    const { searchParams: answer } = location
    assert.deepEqual([answer.get('error'), answer.get('state'), answer.get('iss')], [error, 'af0ifjsldkj', base])
    assert.equal(answer.get('code'), null)
  })
}

for (const [release, required] of [
  ['0.9', true],
  ['0.10', true],
  ['0.11', true],
  ['1', false],
] as const) {
  test(`release ${release}: a request without state is ${required ? 'an error' : 'good'}`, () => {
    const decision = decide({ state: undefined }, { ...site, release: releaseOf(release) })
    assert.equal('ok' in decision, !required)
    assert.equal('redirectError' in decision, required)
  })
}

for (const [asked, scope] of [
  [undefined, 'admin'],
  ['', 'admin'],
  ['read', 'read'],
  ['content', 'content'],
  ['read content', 'content'],
  ['admin read', 'admin'],
  ['offline_access read', 'read'],
  ['openid profile', 'admin'],
] as const) {
  test(`the scope asked as ${JSON.stringify(asked)} is put before the owner as ${scope}`, () => {
    assert.equal(good(decide({ scope: asked })).scope, scope)
  })
}

test('both forms of the resource are good, and a doubled one where both are ours', () => {
  assert.equal(good(decide({ resource: `${base}/mcp` })).resource, `${base}/mcp`)
  good(decide({ resource: [`${base}/mcp`, `${base}/mcp/`] }))
})

test('a client without a name is shown by the host it came from', () => {
  const id = makeClientId(key, { redirectUris: ['https://app.example/cb'], name: '', refreshes: false, issuedAt: 1 })
  const request = good(decide({ client_id: id, redirect_uri: 'https://app.example/cb' }))
  assert.deepEqual([request.clientName, request.redirectHost, request.wantsRefresh], ['app.example', 'app.example', false])
})

test('attack 45, attack 46: a no goes back with state, encoded once, and with the issuer', () => {
  const state = `x&code=evil\r\n${'s'.repeat(8000)}`
  const location = denyLocation(good(decide({ state, redirect_uri: 'cursor://a/b' })))
  assert.match(location, /^cursor:\/\/a\/b\?error=access_denied&[\x21-\x7e]+$/)
  const { searchParams } = new URL(location)
  assert.deepEqual([searchParams.getAll('state'), searchParams.getAll('code'), searchParams.get('iss')], [[state], [], base])
})
