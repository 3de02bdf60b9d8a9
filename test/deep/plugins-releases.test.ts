// What plugins do to an answer, by release: what they print, how they break, and the bridge (INTERFACE.md "POST /mcp/", "Errors").

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPlugins, until } from '../plugin-site.ts'
import { shareSites } from '../shared-sites.ts'
import type { SiteOptions, TestSite } from '../site.ts'

const siteOf = shareSites()
const troubledSiteOf = shareSites((site) => addPlugins(site, 'trouble'))
const heraldedSiteOf = shareSites((site) => addPlugins(site, 'herald'))

type Release = NonNullable<SiteOptions['release']>
const old: readonly Release[] = ['0.9', '0.10', '0.11']
const all: readonly Release[] = [...old, '1']

const mcpHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const rpc = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
const initialize = rpc('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
})
const calling = (action: string, input: object = {}) =>
  rpc('tools/call', { name: 'SVC_API__call-action', arguments: { action, arguments: input } })

const post = (site: TestSite, body: string, more: { token?: string | null; headers?: Record<string, string> } = {}) =>
  site.send('/mcp/', { method: 'POST', body, ...more, headers: { ...mcpHeaders, ...more.headers } })

for (const release of all) {
  test(`${release}: the bridge that ships is inactive, and an X-API-Key means nothing until it is not`, async () => {
    const site = await siteOf({ release })
    const { items } = await site.call('SVC_Plugins.list')
    assert.deepEqual(
      items.map((one: { id: string; state: string }) => [one.id, one.state]),
      [['legacy-bridge', 'inactive']],
    )
    const answer = await site.api('SVC_API.welcome', {}, { headers: { 'x-api-key': 'x' } })
    assert.equal(answer.json.data.you.token.kind, 'personal')
  })
}

for (const release of old) {
  test(`${release}: what plugins print stands before the body, on both doors, but not before the challenge and the discovery documents`, async () => {
    const site = await troubledSiteOf({ release })
    const answer = await post(site, initialize)
    assert.equal(answer.status, 200)
    assert.ok(answer.text.startsWith('printed while loading\n{"jsonrpc"'), answer.text)
    const call = await site.api('SVC_Content.list', { search: 'print' })
    assert.ok(call.text.startsWith('printed while loading\nprinted in the path\n{"success":true'), call.text)
    assert.equal(Number(call.headers.get('content-length')), Buffer.byteLength(call.text))
    const discovery = await site.send('/.well-known/oauth-protected-resource', { token: null })
    assert.ok(discovery.text.startsWith('{'))
    if (release === '0.9') return
    const challenge = await post(site, initialize, { token: null })
    assert.equal(challenge.status, 401)
    assert.equal(challenge.json.error.message, 'Authentication required. See WWW-Authenticate.')
  })

  test(`${release}: a plugin stands before dispatch in every request to /mcp/ with a usable token, whatever it asks`, async () => {
    const site = await heraldedSiteOf({ release })
    const requests: readonly (readonly [body: string, call: string, headers?: Record<string, string>])[] = [
      [initialize, 'initialize'],
      [rpc('tools/list'), 'tools/list'],
      [rpc('ping'), 'ping'],
      [rpc('no/such'), 'no/such'],
      ['{"jsonrpc":"2.0","method":"notifications/initialized"}', 'notifications/initialized'],
      [calling('SVC_API.welcome'), 'SVC_API.welcome'],
      [rpc('tools/call', { name: 'no_such_tool' }), 'tools/call'],
      [rpc('tools/call', { name: 'SVC_API__call-action', arguments: { nonsense: 1 } }), 'tools/call'],
      [`[${rpc('ping')}]`, 'ping', { 'mcp-protocol-version': '2025-03-26' }],
      ['{}', 'nothing'],
      ['{', 'nothing'],
      ['', 'nothing'],
    ]
    for (const [body, call, headers] of requests) {
      const answer = await post(site, body, headers ? { headers } : {})
      assert.ok(answer.text.startsWith(`before ${call}\n`), `${body}: ${answer.text}`)
      assert.equal(answer.text.match(/^before /gm)?.length, 1, 'asked once')
    }
    for (const accept of ['text/event-stream', 'text/html'])
      assert.ok((await site.send('/mcp/', { headers: { accept } })).text.startsWith('before nothing\n'), accept)
    const refused = await post(site, rpc('resources/list'))
    assert.match(refused.text, /^before resources\/list\n\{.*"message":"Not that\."/)
    const broken = await post(site, rpc('prompts/list'))
    assert.deepEqual([broken.status, /critical error/.test(broken.text)], [500, true])
    if (release === '0.9') return
    assert.equal(
      (await post(site, initialize, { token: null })).json.error.message,
      'Authentication required. See WWW-Authenticate.',
    )
  })

  test(`${release}: a plugin that breaks makes a page of the answer, and nothing is done about it`, async () => {
    const site = await troubledSiteOf({ release })
    for (let times = 0; times < 4; times++) {
      const broken = await site.api('SVC_Content.list', { search: 'throw' })
      assert.equal(broken.status, 500)
      assert.match(broken.headers.get('content-type') ?? '', /^text\/html/)
      assert.match(broken.text, /critical error/)
    }
    const overMcp = await post(site, calling('TROUBLE_Maker.make', { how: 'exit' }))
    assert.equal(overMcp.status, 500)
    assert.match(overMcp.text, /critical error/)
    const { items } = JSON.parse((await site.api('SVC_Plugins.list')).text.replace(/^printed while loading\n/, '')).data
    assert.equal(items.find((one: { id: string }) => one.id === 'trouble').state, 'active')
    assert.equal((await site.send('/')).status, 200)
  })

  test(`${release}: an active legacy bridge rejects native tokens with its own 401 and takes its own key`, async () => {
    const site = await siteOf({ release })
    await site.call('SVC_Plugins.configure', {
      id: 'legacy-bridge',
      settings: { api_key: 'sesame', scope: 'content', name: 'Old app' },
    })
    await site.call('SVC_Plugins.activate', { id: 'legacy-bridge', may: ['authenticate'] })
    for (const headers of [{}, { 'x-api-key': 'wrong' }]) {
      const rejected = await post(site, initialize, { headers })
      assert.equal(rejected.status, 401)
      assert.equal(rejected.text, '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Invalid or missing API key."},"id":null}')
      assert.equal(rejected.headers.get('content-type'), 'text/html')
      assert.match(rejected.headers.get('access-control-allow-headers') ?? '', /X-API-Key/)
      assert.equal(rejected.headers.get('www-authenticate'), null)
    }
    const bridged = await post(site, initialize, { token: null, headers: { 'x-api-key': 'sesame' } })
    assert.equal(bridged.json.result.serverInfo.name, 'postern')
    const who = await site.api('SVC_API.welcome', {}, { token: null, headers: { 'x-api-key': 'sesame' } })
    assert.deepEqual(
      [who.json.data.you.tier, who.json.data.you.token.kind, who.json.data.you.token.name],
      ['content', 'bridge', 'Old app'],
    )
    const degraded = await site.api('SVC_API.welcome')
    assert.equal(degraded.json.data.you.token, null, 'on /api/ a native token is then no credential at all')
  })
}

test('1: a plugin is asked before calls of actions only, and the handshake is not its affair', async () => {
  const site = await heraldedSiteOf({ release: '1' })
  for (const method of ['initialize', 'tools/list', 'ping', 'resources/list', 'prompts/list'])
    assert.ok((await post(site, method === 'initialize' ? initialize : rpc(method))).text.startsWith('{"jsonrpc"'), method)
  assert.equal((await post(site, calling('SVC_API.welcome'))).json.result.structuredContent.success, true)
  await until('the log has the call', () => site.log.some((line) => line.includes('before SVC_API.welcome')))
  assert.ok(!site.log.some((line) => line.includes('before initialize') || line.includes('before ping')))
})

test('1: what plugins print goes to the log, and the answer is as it was', async () => {
  const site = await troubledSiteOf({ release: '1' })
  assert.equal((await post(site, initialize)).json.id, 7)
  assert.equal((await site.api('SVC_Content.list', { search: 'print' })).json.success, true)
  await until('the log has it', () =>
    site.log.some((line) => line.includes('plugin printed') && line.includes('printed in the path')),
  )
})

test('1: attack 111: a plugin that breaks in the path is a 500 in the form of its door, and after three it is quarantined', async () => {
  const site = await troubledSiteOf({ release: '1' })
  const rest = await site.api('SVC_Content.list', { search: 'throw' })
  assert.equal(rest.status, 500)
  assert.equal(rest.json.success, false)
  assert.equal(rest.json.error.code, 'failed')
  assert.equal(rest.json.error.plugin, 'trouble')
  const told = `"reference":"${rest.json.error.reference}"`
  await until('the log says why', () => site.log.some((line) => line.includes(told) && line.includes('on purpose')))
  const overMcp = await post(site, calling('SVC_Content.list', { search: 'exit' }))
  assert.equal(overMcp.status, 500)
  assert.equal(overMcp.json.error.code, -32603)
  assert.equal(overMcp.json.id, 7)
  assert.equal((await site.api('SVC_Content.list', { search: 'nothing' })).json.success, true, 'its process was started anew')
  assert.equal((await site.api('TROUBLE_Maker.make', { how: 'throw' }, { token: null })).status, 500)
  await until(
    'it is quarantined',
    async () => (await site.call('SVC_Plugins.get', { id: 'trouble' })).item.state === 'quarantined',
  )
  const { item } = await site.call('SVC_Plugins.get', { id: 'trouble' })
  assert.match(item.reason, /three times/)
  assert.equal((await site.api('SVC_Content.list', { search: 'throw' })).json.success, true)
  assert.equal((await site.api('TROUBLE_Maker.make', { how: 'throw' })).json.error.code, 'unknown_action')
  assert.ok(site.log.some((line) => line.includes('plugin quarantined')))
  await site.call('SVC_Plugins.activate', { id: 'trouble', may: [] })
  assert.equal((await site.call('SVC_Plugins.get', { id: 'trouble' })).item.state, 'active')
})

test('1: attack 83: beside an active bridge native tokens win; its key counts where no token came', async () => {
  const site = await siteOf({ release: '1' })
  await site.call('SVC_Plugins.configure', { id: 'legacy-bridge', settings: { api_key: 'sesame' } })
  await site.call('SVC_Plugins.activate', { id: 'legacy-bridge', may: ['authenticate'] })
  const tokenOf = async (token: string | null, key: string | undefined) => {
    const headers: Record<string, string> = key === undefined ? {} : { 'x-api-key': key }
    return (await site.api('SVC_API.welcome', {}, { token, headers })).json.data.you.token?.kind ?? null
  }
  assert.equal(await tokenOf(site.token, 'wrong'), 'personal')
  assert.equal(await tokenOf(site.token, 'sesame'), 'personal')
  assert.equal(await tokenOf(null, 'sesame'), 'bridge')
  assert.equal(await tokenOf(null, 'wrong'), null)
  assert.equal((await post(site, initialize, { headers: { 'x-api-key': 'wrong' } })).status, 200)
  assert.equal((await post(site, initialize, { token: null, headers: { 'x-api-key': 'sesame' } })).status, 200)
  const wrong = await post(site, initialize, { token: null, headers: { 'x-api-key': 'wrong' } })
  assert.equal(wrong.status, 401)
  assert.equal(wrong.json.error.code, -32001)
  assert.equal(wrong.json.error.message, 'Invalid or missing API key.')
  const challenge = await post(site, initialize, { token: null })
  assert.equal(challenge.json.error.message, 'Authentication required. See WWW-Authenticate.')
  assert.match(challenge.headers.get('www-authenticate') ?? '', /^Bearer resource_metadata=/)
})
