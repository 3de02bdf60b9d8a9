// What holds behind any web server in front, as tests: calls arrive unredirected with body and Authorization, forged headers don't,
// discovery isn't touched, protected folders are refused by the web server itself.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import { after, before, test } from 'node:test'
import { isDeep } from './deep-run.ts'
import { type Echo, openEcho } from './echo.ts'
import { basicHeader, type Front, type FrontKind, needFront, openFront } from './front.ts'

const installs: Readonly<Record<string, { readonly basePath?: string; readonly tls?: boolean }>> = {
  'at the root': {},
  'at the root over TLS': { tls: true },
  'in a subdirectory over TLS': { basePath: '/blog', tls: true },
}

/** Spellings that are refused before the service is asked. */
const refused = [
  '/user-content/logs/planted.log',
  '/user-content/logs',
  '/user-content/skills/x',
  '/user-content/uploads/protected/x.png',
  '/User-Content/LOGS/x',
  '/user-content/%6Cogs/x',
  '//user-content//logs//x',
  '/x/../user-content/logs/x',
  '/user-content/uploads/%2e%2e/logs/x',
  '/user-content/logs;x/y',
  '/user-content/logs./x',
]

/** Declares the tests of a web server. `targets` are those that arrive as they were sent. */
export function testDoors(kind: FrontKind, targets: readonly string[]): void {
  let echo: Echo
  const fronts = new Map<string, Front>()
  before(async () => {
    needFront({ kind })
    echo = await openEcho()
    for (const [where, options] of Object.entries(installs))
      fronts.set(where, await openFront({ kind, ...options, upstream: echo.port }))
  })
  after(async () => {
    for (const front of fronts.values()) await front[Symbol.asyncDispose]()
    await echo[Symbol.asyncDispose]()
  })
  // A usual run has the one that is most: below a path, over TLS.
  for (const [where, options] of Object.entries(installs).filter(([, { basePath, tls }]) => isDeep || (basePath && tls))) {
    for (const version of options.tls ? (['1.1', '2'] as const) : (['1.1'] as const)) {
      const raw: Front['raw'] = (target, sent) => (fronts.get(where) as Front).raw(target, { version, ...sent })
      testInstall(`${kind} ${where}, HTTP/${version}`, options, raw)
      for (const target of targets) {
        test(`${kind} ${where}, HTTP/${version}: the target ${target} arrives as it was sent`, async () => {
          const { status, text } = await raw((options.basePath ?? '') + target)
          assert.equal(status, 200, text)
          assert.equal(JSON.parse(text).target, (options.basePath ?? '') + target)
        })
      }
    }
  }
  test(`${kind} in a subdirectory: the documents at the root of the host arrive, and nothing else of it`, async () => {
    const front = fronts.get('in a subdirectory over TLS') as Front
    for (const end of ['', '/', '/mcp', '/mcp/']) {
      const target = `/.well-known/oauth-protected-resource/blog${end}`
      assert.equal((await front.raw(target)).json.target, target)
    }
    const before = echo.arrived.length
    for (const target of ['/', '/blogx', '/mcp', '/.well-known/api-catalog']) await front.raw(target)
    assert.equal(echo.arrived.length, before)
  })

  test(`${kind}: events arrive one by one`, { timeout: 300_000 }, async () => {
    const { port } = fronts.get('at the root') as Front
    const headers = { host: `localhost:${port}`, 'x-answer': 'events', 'accept-encoding': 'gzip' }
    const request = get({ host: '127.0.0.1', port, path: '/mcp/', headers })
    const [response] = await once(request, 'response')
    const [first] = await once(response, 'data')
    assert.equal(String(first), 'data: first\n\n')
    echo.release()
    const [second] = await once(response, 'data')
    assert.equal(String(second), 'data: second\n\n')
    echo.release()
    await once(response, 'end')
  })
}

function testInstall(
  how: string,
  { basePath = '', tls = false }: { readonly basePath?: string; readonly tls?: boolean },
  raw: Front['raw'],
): void {
  for (const path of ['/mcp', '/mcp/', '/MCP', '/api', '/api/', '/oauth/token', '/oauth/register']) {
    test(`${how}: POST ${path} arrives unredirected, with its body and Authorization`, async () => {
      const { status, json } = await raw(basePath + path, {
        method: 'POST',
        headers: { authorization: 'Bearer pst_abc', 'content-type': 'application/json' },
        body: '{"jsonrpc":"2.0"}',
      })
      assert.deepEqual([status, json.method, json.target, json.bytes], [200, 'POST', basePath + path, 17])
      assert.equal(json.headers.authorization, 'Bearer pst_abc')
    })
  }

  test(`${how}: forged forwarding headers don't arrive, true ones do`, async () => {
    const forged = {
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-proto': tls ? 'http' : 'https',
      forwarded: 'for=192.0.2.1;host=evil.example;proto=https',
    }
    const { headers } = (await raw(`${basePath}/mcp/`, { headers: forged })).json
    assert.equal(headers['x-forwarded-for'], '127.0.0.1')
    assert.equal(headers['x-forwarded-proto'], tls ? 'https' : 'http')
    assert.equal(headers.forwarded, undefined)
    assert.match(headers.host, /^localhost:\d+$/)
  })

  test(`${how}: an own 401, 404 or 503 of the service passes unchanged`, async () => {
    for (const status of [401, 404, 503]) {
      const answer = await raw(`${basePath}/mcp/`, { headers: { 'x-answer-status': String(status) } })
      assert.deepEqual([answer.status, answer.json], [status, { own: status }])
    }
  })

  test(`${how}: no document of discovery is compressed`, async () => {
    for (const name of ['oauth-protected-resource', 'oauth-authorization-server', 'api-catalog']) {
      const { headers } = await raw(`${basePath}/.well-known/${name}`, { headers: { 'accept-encoding': 'gzip' } })
      assert.equal(headers.get('content-encoding'), null)
    }
  })

  for (const path of refused) {
    test(`${how}: attack 129: ${path} is 403`, async () => {
      assert.equal((await raw(basePath + path)).status, 403)
    })
  }
}

/** Declares the test of a password over the site, the doors excepted. */
export function testBasicAuth(kind: FrontKind): void {
  for (const basePath of ['', '/blog']) {
    test(`${kind} ${basePath || 'at the root'}: basic auth asks on pages, and never on the doors`, async () => {
      await using echo = await openEcho()
      await using front = await openFront({ kind, basePath, upstream: echo.port, basicAuth: true })
      for (const path of ['/', '/about', '/admin/', '/mcp/../admin/', '/mcpx']) {
        assert.equal((await front.raw(basePath + path)).status, 401, path)
        assert.equal((await front.raw(basePath + path, { headers: { authorization: basicHeader } })).status, 200, path)
      }
      for (const path of ['/mcp', '/MCP/', '/api/', '/oauth/token', '/.well-known/api-catalog'])
        assert.equal((await front.raw(basePath + path, { method: 'POST' })).status, 200, path)
    })
  }
}
