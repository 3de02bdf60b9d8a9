// Addresses as people type them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressIn, completeAddress } from '../../src/base/complete-address.ts'

const rows = [
  ['example.org', 'https://example.org'],
  [' www.example.co.uk/a?b#c ', 'https://www.example.co.uk/a?b#c'],
  ['example.org:8443/x', 'https://example.org:8443/x'],
  ['anna@example.org', 'mailto:anna@example.org'],
  ['https://example.org', 'https://example.org'],
  ['http://example.org', 'http://example.org'],
  ['tel:+49', 'tel:+49'],
  ['/about', '/about'],
  ['#top', '#top'],
  ['../about.html', '../about.html'],
  ['about.html', 'about.html'],
  ['menu.pdf', 'menu.pdf'],
  ['about', 'about'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
  ['-x.org', '-x.org'],
  ['', ''],
] as const
for (const [typed, expected] of rows)
  test(`${JSON.stringify(typed)} means ${JSON.stringify(expected)}`, () => assert.equal(completeAddress(typed), expected))

for (const typed of [
  '/',
  '/about us',
  '#top',
  '?page=2',
  '../about.html',
  'https://example.org',
  'tel:+49',
  'mailto:anna@example.org',
])
  test(`${JSON.stringify(typed)} is an address`, () => assert.equal(addressIn(typed), typed))
test('a host and an e-mail address are completed', () =>
  assert.deepEqual(['example.org', 'anna@example.org'].map(addressIn), ['https://example.org', 'mailto:anna@example.org']))
for (const typed of ['', 'cont', 'Our bakery', 'menu.pdf', 'javascript:alert(1)', 'Note: closed', '# One', 'Opens at 9.30'])
  test(`${JSON.stringify(typed)} is no address`, () => assert.equal(addressIn(typed), undefined))
