// What the site does for a plugin that asks it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pluginsHost } from '../../src/actions/plugins/plugin-host.ts'
import type { TokenLimits } from '../../src/identity/caller.ts'
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

test("attack 140: what a plugin's action does for a limited caller is held to the caller's limits, through another plugin too", async () => {
  await using open = await openTestSite()
  const schema = "{ type: 'object', properties: { what: { type: 'string' } } }"
  const own = (name: string, effect: string, run: string) =>
    `postern.action({ class: '${name}', action: 'do', summary: 'Does it.', tier: 'content', effect: '${effect}', input: ${schema}, output: ${schema}, run: ${run} })`
  const calls = `async ({ what }) => {
    if (what === 'publish') await postern.call('SVC_Content', 'create', { type: 'post', title: 'Out', status: 'published' })
    if (what === 'page') await postern.call('SVC_Content', 'create', { type: 'page', title: 'Page' })
    if (what === 'draft') await postern.call('SVC_Content', 'create', { type: 'post', title: 'Draft' })
    if (what === 'title') await postern.call('SVC_Settings', 'update', { set: { site_title: 'Theirs' } })
    return { what }
  }`
  const may = ['call:SVC_Content.*', 'call:SVC_Settings.update']
  const add = async (id: string, rights: readonly string[], activate: string) => {
    const zip = await smallPlugin(id, { may: rights }, activate)
    await open.ok('SVC_Plugins.install', { base64: base64(zip) })
    await open.ok('SVC_Plugins.activate', { id, may: rights })
  }
  // One that says of itself that it reads is held to the same.
  await add('reader', may, own('READER_Words', 'read', calls))
  await add('writer', may, own('WRITER_Words', 'act', calls))
  const over = ['call:WRITER_Words.*']
  await add(
    'proxy',
    over,
    own('PROXY_Words', 'act', "({ what }) => postern.call('WRITER_Words', 'do', { what }).then(() => ({ what }))"),
  )
  const refused = async (limits: TokenLimits, what: string) => {
    for (const name of ['READER_Words.do', 'WRITER_Words.do', 'PROXY_Words.do'])
      assert.equal((await open.fails(name, { what }, open.as('admin', limits))).code, 'refused', `${name} ${what}`)
  }
  const drafts = { drafts_only: true }
  await refused(drafts, 'publish')
  await refused({ types: ['post'] }, 'page')
  await refused(drafts, 'title')
  await open.ok('PROXY_Words.do', { what: 'draft' }, open.as('content', drafts))
  await open.ok('PROXY_Words.do', { what: 'title' }, open.as('content', { addresses: ['192.0.2.1'] }))
  await open.ok('PROXY_Words.do', { what: 'publish' }, open.as('content'))
})
