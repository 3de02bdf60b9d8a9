// What the site does for a plugin that asks it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pluginsHost } from '../../src/actions/plugin-host.ts'
import { getPlugin } from '../../src/plugins/plugin-store.ts'
import { openTestSite } from '../identity/open-test-site.ts'
import { smallPlugin } from '../packages.ts'
import { base64 } from '../plugin-calls.ts'
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

test('attack 114: a plugin calls its own actions without a right to it, and no others', async () => {
  await using open = await openTestSite()
  const schema = "{ type: 'object', properties: { said: { type: 'string' } } }"
  const own = (action: string, run: string) =>
    `postern.action({ class: 'OWN_Words', action: '${action}', summary: 'Speaks.', tier: 'any', effect: 'read', input: ${schema}, output: ${schema}, run: ${run} })`
  const activate = `${own('say', "({ said }) => ({ said: said + '!' })")}
    ${own('pass-on', "({ said }) => postern.call('OWN_Words', 'say', { said })")}
    ${own('pry', "() => postern.call('SVC_Content', 'list')")}`
  await open.ok('SVC_Plugins.install', { base64: base64(await smallPlugin('own', {}, activate)) })
  await open.ok('SVC_Plugins.activate', { id: 'own' })
  assert.deepEqual(await open.ok('OWN_Words.pass-on', { said: 'Ada' }), { said: 'Ada!' })
  assert.match((await open.fails('OWN_Words.pry')).message, /Unknown tool: SVC_Content\.list/)
})
