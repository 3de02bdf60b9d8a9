// nginx as `postern nginx` configures it, where it answers by itself: the service is down, plain http, unknown hosts, basic auth, ACME.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Echo, openEcho } from '../echo.ts'
import { basicHeader, freePorts, type Front, needFront, openFront } from '../front.ts'

let echo: Echo
let secure: Front
before(async () => {
  needFront()
  echo = await openEcho()
  secure = await openFront({ upstream: echo.port, tls: true })
})
after(async () => {
  await secure[Symbol.asyncDispose]()
  await echo[Symbol.asyncDispose]()
})

for (const [where, basePath] of [
  ['at the root', ''],
  ['in a subdirectory', '/blog'],
] as const) {
  test(`nginx ${where}: while the service is down, 503 in the caller's own form`, async () => {
    await using front = await openFront({ basePath, upstream: (await freePorts()).port })
    const ask = async (path: string, method: string) => {
      const answer = await front.raw(basePath + path, { method })
      assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5'], path)
      return answer
    }
    for (const path of ['/mcp', '/mcp/', '/MCP']) {
      const { json, headers } = await ask(path, 'POST')
      assert.equal(headers.get('content-type'), 'application/json')
      assert.deepEqual([json.jsonrpc, json.id, json.error.code], ['2.0', null, -32603])
    }
    for (const path of ['/api', '/api/', '/.well-known/oauth-authorization-server']) {
      const { json } = await ask(path, 'POST')
      assert.deepEqual([json.success, json.error.code], [false, 'unavailable'])
    }
    for (const path of ['/oauth/token', '/oauth/register'])
      assert.equal((await ask(path, 'POST')).json.error, 'temporarily_unavailable')
    for (const path of ['/', '/about', '/admin/', '/oauth/authorize?client_id=a', '/user-content/uploads/a.png']) {
      const { text, headers } = await ask(path, 'GET')
      assert.match(headers.get('content-type') ?? '', /^text\/html/)
      assert.match(text, /<h1>Back soon<\/h1>/)
    }
  })

  test(`nginx ${where}: basic auth asks on pages and files, and never on the doors`, async () => {
    await using front = await openFront({ basePath, upstream: echo.port, basicAuth: true })
    for (const path of [
      '/',
      '/about',
      '/admin',
      '/admin/',
      '/mcp/../admin/',
      '/mcp%2F..%2Fadmin/',
      '/user-content/uploads/a.png',
      '/mcpx',
    ]) {
      const asked = await front.raw(basePath + path)
      assert.deepEqual([asked.status, asked.headers.get('www-authenticate')], [401, 'Basic realm="Private"'], path)
      assert.equal((await front.raw(basePath + path, { headers: { authorization: basicHeader } })).status, 200, path)
    }
    const doors = [
      '/mcp',
      '/mcp/',
      '/MCP',
      '/api',
      '/api/',
      '/oauth/token',
      '/oauth/authorize',
      '/.well-known/api-catalog',
      '/x/../mcp',
    ]
    const atRoot = basePath === '' ? [] : [`/.well-known/oauth-protected-resource${basePath}/mcp`]
    for (const target of [...doors.map((path) => basePath + path), ...atRoot]) {
      const { status, json } = await front.raw(target, { method: 'POST', headers: { authorization: 'Bearer pst_abc' } })
      assert.deepEqual([status, json.headers.authorization], [200, 'Bearer pst_abc'], target)
    }
  })
}

test('nginx: pages on plain http lead to https by 308, with their query', async () => {
  for (const path of ['/', '/about?a=%2F&b=//c', '/admin/', '//evil.example/x', '/mcpx']) {
    const answer = await secure.raw(path, { plain: true, host: 'localhost' })
    assert.deepEqual([answer.status, answer.headers.get('location')], [308, `${secure.address}${path}`])
  }
})

test('nginx: a call on plain http is refused in its own form: no redirect loses its body or its token', async () => {
  const codes: Record<string, unknown> = {}
  for (const path of ['/mcp', '/MCP/', '/api/', '/oauth/token', '/.well-known/api-catalog']) {
    const answer = await secure.raw(path, { plain: true, host: 'localhost', method: 'POST', body: '{}' })
    assert.equal(answer.status, 403)
    codes[path] = answer.json.error.code ?? answer.json.error
  }
  const forbidden = 'forbidden'
  assert.deepEqual(codes, {
    '/mcp': -32600,
    '/MCP/': -32600,
    '/api/': forbidden,
    '/oauth/token': 'invalid_request',
    '/.well-known/api-catalog': forbidden,
  })
})

test('nginx: a page on another of the names leads to the first one; doors, the admin and forms stay where they are', async () => {
  const host = `www.localhost:${secure.port}`
  const before = echo.arrived.length
  const moved = await secure.raw('/about?x=%2F', { host })
  assert.deepEqual([moved.status, moved.headers.get('location')], [308, `${secure.address}/about?x=%2F`])
  assert.equal(echo.arrived.length, before)
  for (const path of ['/mcp', '/mcp/', '/api/', '/oauth/authorize', '/.well-known/api-catalog', '/admin/'])
    assert.equal((await secure.raw(path, { host })).json.headers.host, host)
  assert.equal((await secure.raw('/form', { host, method: 'POST', body: 'a=b' })).json.headers.host, host)
})

test('nginx: a host that is not the site’s gets 421, on both ports', async () => {
  const before = echo.arrived.length
  for (const path of ['/', '/mcp/', '/.well-known/api-catalog'])
    for (const plain of [true, false]) assert.equal((await secure.raw(path, { host: 'evil.example', plain })).status, 421)
  assert.equal((await secure.raw('/', { host: 'other.localhost', version: '2' })).status, 421)
  assert.equal(echo.arrived.length, before)
})

test('nginx: the answer to an ACME challenge comes from disk, on both ports, and nothing else below /.well-known/ does', async () => {
  const path = '/.well-known/acme-challenge/planted'
  for (const plain of [true, false]) {
    const answer = await secure.raw(path, { plain, host: 'localhost' })
    assert.deepEqual([answer.status, answer.text, answer.headers.get('content-type')], [200, 'token.thumbprint', 'text/plain'])
    assert.equal((await secure.raw('/.well-known/acme-challenge/none', { plain, host: 'localhost' })).status, 404)
  }
  assert.equal(
    (await secure.raw('/.well-known/acme-challenge/../api-catalog')).json.target,
    '/.well-known/acme-challenge/../api-catalog',
  )
})
