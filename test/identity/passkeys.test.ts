// Where browsers have passkeys, and for which domain.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passkeyPlace } from '../../src/identity/passkeys.ts'

const rows: readonly (readonly [string, string, string | undefined])[] = [
  ['https', 'example.org', 'example.org'],
  ['https', 'www.example.org', 'example.org'],
  ['https', 'WWW.Example.org', 'example.org'],
  ['https', 'blog.example.org:8443', 'blog.example.org'],
  ['https', 'www.org', 'www.org'],
  ['http', 'localhost:8080', 'localhost'],
  ['http', 'example.org', undefined],
  ['https', '203.0.113.7', undefined],
  ['https', '[2001:db8::1]:443', undefined],
  ['http', '127.0.0.1:8080', undefined],
]

for (const [scheme, host, rpId] of rows)
  test(`attack 66: at ${scheme}://${host} passkeys are for ${rpId ?? 'no domain'}`, () => {
    const place = passkeyPlace({ scheme, host })
    assert.equal(place?.rpId, rpId)
    if (rpId !== undefined) assert.equal(place?.origin, `${scheme}://${host.toLowerCase()}`)
  })
