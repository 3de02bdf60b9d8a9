// Client ids: one spelling, this site's signature, no other purpose's.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fc } from '../../properties.ts'
import { createSiteKey } from '../../../src/identity/site-key.ts'
import { type Client, makeClientId, maxClientIdBytes, parseClientId } from '../../../src/doors/oauth/client-id.ts'

const secret = randomBytes(32)
const key = createSiteKey(secret)
const client: Client = {
  redirectUris: ['https://claude.ai/api/mcp/auth_callback'],
  name: 'Claude',
  refreshes: true,
  issuedAt: 1_795_000_000,
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

test('whatever a client registered comes back from its id', () => {
  const facts = {
    redirectUris: fc.array(fc.webUrl(), { minLength: 1, maxLength: 5 }),
    name: fc.string({ unit: 'grapheme', maxLength: 100 }).map((name) => name.toWellFormed()),
    refreshes: fc.boolean(),
    issuedAt: fc.nat(),
  }
  const clients = fc.record(facts, { noNullPrototype: true })
  fc.assert(
    fc.property(clients, (one) => {
      const id = makeClientId(key, one)
      assert.match(id, /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/)
      if (id.length <= maxClientIdBytes) assert.deepEqual(parseClientId(key, id), one)
    }),
  )
})

test('attack 33: a client id has one spelling', () => {
  const id = makeClientId(key, client)
  const place = fc.nat(id.length - 1)
  const edits = fc.oneof(
    fc
      .tuple(place, fc.constantFrom(...alphabet, '=', '+', '/', '.', '!', '\n', ' ', 'é', '\0'))
      .map(([at, c]) => id.slice(0, at) + c + id.slice(at + 1)),
    fc.tuple(place, fc.constantFrom('=', '+', '.', '\n', '!', 'A')).map(([at, c]) => id.slice(0, at) + c + id.slice(at)),
    fc.tuple(place, fc.nat(20)).map(([at, count]) => id.slice(0, at) + id.slice(at + count)),
    fc.constantFrom('=', '==', '\n', '.', ' ').map((end) => id + end),
    fc.string(),
  )
  fc.assert(
    fc.property(edits, (other) => assert.equal(parseClientId(key, other) !== undefined, other === id)),
    { numRuns: 2000 },
  )
})

for (const [what, edit] of Object.entries({
  'an empty signature': (id: string) => `${id.split('.')[0]}.`,
  'no signature': (id: string) => id.split('.')[0] ?? '',
  'an empty payload': (id: string) => `.${id.split('.')[1]}`,
  'two dots': (id: string) => `${id}.x`,
  padding: (id: string) => `${id}=`,
  'a newline after it': (id: string) => `${id}\n`,
  'spare bits of the signature changed': (id: string) =>
    id.slice(0, -1) + (alphabet[alphabet.indexOf(id.at(-1) ?? '') ^ 1] ?? ''),
  'nothing at all': () => '',
  'an address': () => 'https://client.example/metadata.json',
  'an address with one dot': () => 'https://localhost/a.json',
  'a megabyte': (id: string) => 'A'.repeat(1_000_000) + id,
})) {
  test(`attack 33, attack 35: ${what} is no client id`, () =>
    assert.equal(parseClientId(key, edit(makeClientId(key, client))), undefined))
}

test('attack 34: a signature of the same payload for another purpose is no client id', async () => {
  const { createHmac } = await import('node:crypto')
  const [payload = ''] = makeClientId(key, client).split('.')
  for (const purpose of ['cursor', 'session', 'csrf', 'oauth-refresh', 'fingerprint', '']) {
    const mac = createHmac('sha256', key.derive(purpose)).update(payload).digest('base64url')
    assert.equal(parseClientId(key, `${payload}.${mac}`), undefined, purpose)
  }
})

test('ids of an earlier secret stay good when the secret is changed, and those of a foreign one never are', () => {
  const id = makeClientId(key, client)
  const changed = createSiteKey(Buffer.concat([randomBytes(32), secret]))
  assert.deepEqual(parseClientId(changed, id), client)
  const later = makeClientId(changed, client)
  assert.deepEqual(parseClientId(changed, later), client)
  assert.equal(parseClientId(key, later), undefined)
  assert.equal(parseClientId(createSiteKey(randomBytes(32)), id), undefined)
})

test('two registrations of the same client have two ids', () => {
  assert.notEqual(makeClientId(key, client), makeClientId(key, client))
})
