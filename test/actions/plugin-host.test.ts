// What the site does for a plugin that asks it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pluginsHost } from '../../src/actions/plugin-host.ts'
import { getPlugin } from '../../src/plugins/plugin-store.ts'
import { openTestSite } from '../identity/open-test-site.ts'
import { outboundTo, publicAddress } from '../outbound/open-outbound.ts'

test('a plugin waits for another machine no longer than it can still answer without it', async () => {
  await using open = await openTestSite()
  const bridge = await getPlugin(open.site.store.read, 'legacy-bridge')
  const host = pluginsHost({ ...open.site, outbound: outboundTo({ 'nobody.example': [[publicAddress]] }) })
  const plugin = { ...bridge, may: ['reach:nobody.example'] }
  for (const [leftMs, seconds] of [
    [undefined, 10],
    [60_000, 10],
    [3000, 2.5],
    [0, 0.1],
  ] as const) {
    const asked = host.ask(plugin, { kind: 'fetch', url: 'http://nobody.example/', init: {}, dryRun: false, leftMs })
    await assert.rejects(asked, { code: 'unreachable', message: new RegExp(`within ${seconds} seconds`) })
  }
})
