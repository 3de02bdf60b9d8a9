// Which `resource` means this site.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../../src/base/config.ts'
import { expectedResource, isOwnResource } from '../../../src/doors/oauth/resource.ts'

const asked = { scheme: 'https', host: 'example.org', basePath: '/blog' } as const
const bare = { config: readConfig({}) }
const named = { config: readConfig({ POSTERN_BASE_URL: 'https://example.org/blog' }) }
const ported = { config: readConfig({ POSTERN_BASE_URL: 'https://example.org:8443' }) }

test('the expected resource has the slash at its end', () =>
  assert.equal(expectedResource(asked), 'https://example.org/blog/mcp/'))

for (const [resource, own, why] of [
  ['https://example.org/blog/mcp/', true, 'the expected form'],
  ['https://example.org/blog/mcp', true, 'without the slash'],
  ['HTTPS://EXAMPLE.org/blog/mcp', true, 'scheme and host in capitals'],
  ['https://example.org:443/blog/mcp/', true, 'the default port'],
  ['https://example.org/blog/./x/../mcp/', true, 'dot segments'],
  ['https://example.org/%62log/%6Dcp', true, 'letters that need no escape'],
  ['https://example.org/blog/mcp//', false, 'two slashes'],
  ['https://example.org/blog/MCP', false, 'a path in capitals'],
  ['https://example.org/mcp/', false, 'the root of a subdirectory install'],
  ['https://example.org/blog/', false, 'the site itself'],
  ['https://example.org', false, 'the origin alone'],
  ['http://example.org/blog/mcp/', false, 'another scheme'],
  ['https://example.org:8443/blog/mcp/', false, 'another port'],
  ['https://www.example.org/blog/mcp/', false, 'another host'],
  ['https://example.org.evil/blog/mcp/', false, 'a longer host'],
  ['https://user@example.org/blog/mcp/', false, 'a user'],
  ['https://example.org/blog/mcp/?x', false, 'a query'],
  ['https://example.org/blog/mcp/#x', false, 'a fragment'],
  ['https://example.org/blog%2fmcp', false, 'an escaped slash'],
  ['https:\\\\example.org\\blog\\mcp', false, 'backslashes'],
  ['https://example.org/blog/mcp\n', false, 'a line break'],
  ['https:example.org/blog/mcp', false, 'no slashes'],
  ['example.org/blog/mcp', false, 'no scheme'],
  [`https://example.org/blog/mcp/${'a/../'.repeat(5000)}`, false, 'endless'],
  ['', false, 'nothing'],
] as const) {
  test(`${why}: ${own ? 'this site' : 'not this site'}`, () => assert.equal(isOwnResource(bare, asked, resource), own))
}

test('every own host is this site, whichever was asked', () => {
  for (const host of ['example.org', 'www.example.org']) {
    assert.ok(isOwnResource(named, { ...asked, host }, 'https://www.example.org/blog/mcp'))
    assert.ok(isOwnResource(named, { ...asked, host }, 'https://example.org/blog/mcp/'))
  }
  assert.ok(!isOwnResource(named, asked, 'https://evil.example/blog/mcp'))
  assert.ok(
    isOwnResource(ported, { scheme: 'https', host: 'example.org:8443', basePath: '' }, 'https://www.example.org:8443/mcp'),
  )
})
