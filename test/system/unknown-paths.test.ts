// Attack 132: requests for what isn't there count against the anonymous limit; pages that are there don't.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSite } from '../site.ts'

test('attack 132: unknown paths count against the anonymous limit, at whichever door, and known ones do not', async () => {
  await using site = await openSite({ env: { POSTERN_ANONYMOUS_CALLS_PER_MINUTE: '5' } })
  await site.call('SVC_Content.create', { type: 'page', title: 'About', status: 'published' })
  const statusOf = async (path: string) => (await site.send(path, { token: null })).status
  for (let at = 0; at < 8; at++) assert.equal(await statusOf('/about'), 200)
  for (const path of ['/nothing', '/x//y', '/admin/nothing', '/.well-known/nothing', '/nothing.md'])
    assert.equal(await statusOf(path), 404, path)
  for (const path of ['/nothing', '/x//y', '/admin/nothing', '/.well-known/nothing'])
    assert.equal(await statusOf(path), 429, path)
  const refused = await site.send('/nothing', { token: null })
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal(await statusOf('/about'), 200)
  assert.deepEqual([await statusOf('/search?q=about'), await statusOf('/search')], [429, 200], 'a search counts, too')
  assert.equal((await site.api('SVC_API.welcome', {}, { token: null })).status, 429)
  assert.equal((await site.api('SVC_API.welcome')).status, 200)
})
