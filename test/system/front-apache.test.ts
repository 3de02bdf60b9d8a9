// Apache as `postern nginx --for apache` configures it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEcho } from '../echo.ts'
import { hidden } from '../front-send.ts'
import { openFront } from '../front.ts'
import { testBasicAuth, testDoors } from '../front-doors.ts'
import { until } from '../plugin-site.ts'

testDoors('apache', ['/a%2Fb', '/x//y', '/a/../b', '/a%20b?x=%2F&y=//z', '/p;a=b', '/caf%C3%A9'])
testBasicAuth('apache')

test('apache: plain http leads pages to https by 308, refuses calls, and has the ACME challenge on disk', async () => {
  await using echo = await openEcho()
  await using front = await openFront({ kind: 'apache', upstream: echo.port, tls: true })
  const plain = { plain: true, host: 'localhost' }
  const moved = await front.raw('/about?a=b', plain)
  assert.deepEqual([moved.status, moved.headers.get('location')], [308, `${front.address}/about?a=b`])
  for (const path of ['/mcp', '/api/', '/oauth/token'])
    assert.equal((await front.raw(path, { ...plain, method: 'POST', body: '{}' })).status, 403, path)
  for (const sent of [plain, {}]) {
    const { status, text } = await front.raw('/.well-known/acme-challenge/planted', sent)
    assert.deepEqual([status, text], [200, 'token.thumbprint'])
  }
  assert.deepEqual(echo.arrived, [])
})

test('apache: the log holds no secret', async () => {
  await using echo = await openEcho()
  await using front = await openFront({ kind: 'apache', upstream: echo.port })
  const headers = { authorization: 'Bearer s3cret', referer: 'https://a/?code=s3cret' }
  await front.raw('/oauth/authorize?code=s3cret', { headers })
  const agent = { 'user-agent': 'curl/8 Bearer s3cret' }
  for (const path of hidden('s3cret')) await front.raw(path, { headers: agent })
  let log = ''
  await until('the log has the request', async () => {
    log = await front.accessLog()
    return log.includes('GET /oauth/authorize') && log.includes('/in/... ')
  })
  assert.doesNotMatch(log, /s3cret/)
})
