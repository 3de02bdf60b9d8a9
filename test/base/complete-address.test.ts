// Addresses as people type them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeAddress } from '../../src/base/complete-address.ts'

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
