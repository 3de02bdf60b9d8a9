// The links of the footer: which network an address belongs to.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkIcon, socialLink } from '../../src/themes/networks.ts'

const rows: readonly (readonly [string, string, string | null])[] = [
  ['https://mastodon.social/@anna', 'Mastodon', 'mastodon'],
  ['https://www.instagram.com/anna', 'Instagram', 'instagram'],
  ['https://de.linkedin.com/in/anna', 'LinkedIn', 'linkedin'],
  ['https://twitter.com/anna', 'X', 'x'],
  ['https://anna.bandcamp.com/', 'Bandcamp', 'bandcamp'],
  ['https://www.friends.example/anna', 'friends.example', null],
  ['https://notgithub.com/anna', 'notgithub.com', null],
  ['https://github.com.evil.example/anna', 'github.com.evil.example', null],
]

for (const [url, name, network] of rows)
  test(`${url} is ${network ?? 'no known network'}`, () => {
    assert.deepEqual(socialLink(url), { url, name, network })
    const icon = networkIcon(network ?? 'none')
    assert.equal(icon === '', network === null)
    assert.doesNotMatch(icon, /<script|href|\son\w+=/)
  })

test('no key of an object is a network', () => {
  for (const key of ['constructor', '__proto__', 'toString', '']) assert.equal(networkIcon(key), '')
})
