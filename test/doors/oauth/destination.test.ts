// Where an app's address leads, as a person is told.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Destination, destinationOf, destinationOfHost } from '../../../src/doors/oauth/destination.ts'
import { redirectHost, redirectUriFault } from '../../../src/doors/oauth/redirect-uri.ts'
import { fc } from '../../properties.ts'

const rows: readonly (readonly [uri: string, ...Destination[keyof Destination][]])[] = [
  ['https://claude.ai/api/mcp/auth_callback', 'website', 'claude.ai'],
  ['https://localhost.evil.example/cb', 'website', 'localhost.evil.example'],
  ['https://127.evil.example/cb', 'website', '127.evil.example'],
  ['https://a.localhost/cb', 'website', 'a.localhost'],
  ['https://\uff43laude.ai/cb', 'website', 'claude.ai'],
  ['https://\u0441laude.ai/cb', 'website', 'xn--laude-0ye.ai'],
  ['https://localhost/cb', 'own-computer', 'localhost:443'],
  ['http://localhost/cb', 'own-computer', 'localhost:80'],
  ['http://localhost:3118/cb', 'own-computer', 'localhost:3118'],
  ['http://[::1]:9/cb', 'own-computer', '[::1]:9'],
  ['claude.ai:/cb', 'device-app', 'claude.ai:'],
  ['localhost:/cb', 'device-app', 'localhost:'],
  ['cursor://anysphere.cursor-mcp/cb', 'device-app', 'cursor://anysphere.cursor-mcp'],
]
for (const [uri, kind, name] of rows)
  test(`attack 142: ${uri} leads to ${kind} ${name}`, () => assert.deepEqual(destinationOf(uri), { kind, name }))

test('attack 142: whatever can be registered, only three hosts are the own computer, and the kind is the same by the kept host', () => {
  const host = fc.oneof(
    fc.constantFrom('localhost', '127.0.0.1', '[::1]', 'localhost.evil', '127.1.evil', 'x.localhost', 'claude.ai'),
    fc.domain(),
  )
  const uri = fc
    .tuple(fc.constantFrom('https://', 'http://', 'app://', 'app.example:/'), host, fc.constantFrom('', ':1', ':8443', '/cb'))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(uri, (text) => {
      if (redirectUriFault(text) !== undefined) return
      const { kind, name } = destinationOf(text)
      const { protocol, hostname } = new URL(text)
      const isWeb = protocol === 'https:' || protocol === 'http:'
      assert.equal(kind === 'own-computer', isWeb && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
      assert.equal(kind === 'device-app', !isWeb)
      assert.match(name, /^[\x21-\x7e]+$/)
      assert.equal(destinationOfHost(redirectHost(text)).kind, kind, text)
    }),
    { numRuns: 2000 },
  )
})
