// Keys of a bridge as somebody would try them who has none.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSite } from '../site.ts'

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
})

test('wrong keys are counted, right ones are not: past the limit neither is let in for a minute', async () => {
  await using site = await openSite({ env: { POSTERN_RATE_LIMITS: 'on', POSTERN_ANONYMOUS_CALLS_PER_MINUTE: '3' } })
  await site.call('SVC_Plugins.activate', { id: 'legacy-bridge', may: ['authenticate'] })
  await site.call('SVC_Plugins.configure', { id: 'legacy-bridge', settings: { api_key: 'sesame' } })
  const knock = async (key: string) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json', 'x-api-key': key }
    return site.send('/mcp/', { method: 'POST', headers, body: initialize, token: null })
  }
  const who = async () => (await site.api('SVC_API.welcome', {}, { token: null, headers: { 'x-api-key': 'sesame' } })).json
  for (let tries = 0; tries < 4; tries++) assert.equal((await knock('sesame')).status, 200)
  for (let tries = 0; tries < 3; tries++) assert.equal((await knock(`guess ${tries}`)).status, 401)
  const refused = await knock('sesame')
  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal(refused.json.jsonrpc, '2.0')
  assert.notEqual((await who()).data?.caller?.tier, 'admin')
  assert.equal((await site.api('SVC_API.welcome', {}, { headers: { 'x-api-key': 'sesame' } })).status, 200, 'a token is no guess')
})
