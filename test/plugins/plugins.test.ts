// The active plugins of a process while others change them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownerOf } from '../../src/actions/idempotency.ts'
import { anonymous } from '../../src/identity/caller.ts'
import { openTestSite } from '../identity/open-test-site.ts'

const bridge = { id: 'legacy-bridge', may: ['authenticate'] }

test('a reload that is overtaken by another is done no sooner than that one', async () => {
  await using site = await openTestSite()
  await site.ok('SVC_Plugins.activate', bridge)
  const { plugins } = await site.other()
  assert.equal(plugins.active.count, 1)
  await site.ok('SVC_Plugins.deactivate', { id: bridge.id })
  const first = plugins.reload()
  const second = plugins.reload()
  await first
  assert.equal(plugins.active.count, 0)
  await second
})

test('a plugin that was changed since it failed is not quarantined for that', async () => {
  await using site = await openTestSite()
  const { item } = await site.ok('SVC_Plugins.activate', bridge)
  const { plugins } = site.site
  const state = async (): Promise<string> => (await site.ok('SVC_Plugins.get', { id: bridge.id })).item.state
  await plugins.quarantine({ id: bridge.id, revision: item.revision - 1 }, 'It failed before.')
  assert.equal(await state(), 'active')
  await plugins.quarantine({ id: bridge.id, revision: item.revision }, 'It failed.')
  assert.equal(await state(), 'quarantined')
})

test('attack 86: callers without a token have keys of their own by address', () => {
  const [one, other] = ['192.0.2.1', '192.0.2.2'].map((address) => ownerOf(anonymous('api', address)))
  assert.notEqual(one, other)
})
