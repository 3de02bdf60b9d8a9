// nginx as `postern nginx` configures it: what reaches the service behind it, what doesn't, and what comes back.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { get } from 'node:http'
import { after, before, test } from 'node:test'
import { isDeep } from '../deep-run.ts'
import { type Echo, openEcho } from '../echo.ts'
import { type Front, openFront } from '../front.ts'
import { hidden, type Sent } from '../front-send.ts'

const wholeHosts: Readonly<Record<string, { readonly basePath?: string; readonly tls?: boolean }>> = {
  'at the root': {},
  'at the root over TLS': { tls: true },
  'in a subdirectory': { basePath: '/blog' },
  'in a subdirectory over TLS': { basePath: '/blog', tls: true },
}

/** A usual run has the two that differ most. */
const usual: readonly string[] = ['in a subdirectory', 'at the root over TLS']
const hosts = Object.entries(wholeHosts).filter(([where]) => isDeep || usual.includes(where))

let echo: Echo
const fronts = new Map<string, Front>()
before(async () => {
  echo = await openEcho()
  const open = hosts.map(async ([where, options]) => {
    fronts.set(where, await openFront({ ...options, upstream: echo.port }))
  })
  await Promise.all(open)
})
after(async () => {
  for (const front of fronts.values()) await front[Symbol.asyncDispose]()
  await echo[Symbol.asyncDispose]()
})

const call: Sent = {
  method: 'POST',
  headers: { authorization: 'Bearer pst_abc', 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: '{"jsonrpc":"2.0"}',
}

for (const [where, options] of hosts) {
  const slug = options.basePath ?? ''
  const { tls = false } = options
  const raw: Front['raw'] = (target, sent) => (fronts.get(where) as Front).raw(target, sent)

  for (const version of tls ? (['1.1', '2'] as const) : (['1.1'] as const)) {
    const how = `nginx ${where}, HTTP/${version}`

    for (const path of ['/mcp', '/mcp/', '/MCP', '/api', '/api/', '/Api/', '/oauth/token', '/oauth/register', '/oauth/revoke']) {
      test(`${how}: POST ${slug}${path} arrives unredirected, with its body and Authorization`, async () => {
        const { status, json } = await raw(slug + path, { ...call, version })
        assert.equal(status, 200)
        assert.deepEqual([json.method, json.target, json.bytes], ['POST', slug + path, 17])
        assert.equal(json.headers.authorization, 'Bearer pst_abc')
        assert.equal(json.headers['content-type'], 'application/json')
      })
    }

    test(`${how}: forged forwarding headers don't arrive, true ones do`, async () => {
      const forged = {
        'x-forwarded-for': '192.0.2.1',
        'x-forwarded-proto': tls ? 'http' : 'https',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-port': '1',
        'x-forwarded-prefix': '/evil',
        'x-real-ip': '192.0.2.1',
        'x-original-url': '/admin/',
        'x-rewrite-url': '/admin/',
        forwarded: 'for=192.0.2.1;host=evil.example;proto=https',
        proxy: 'http://evil.example',
        x_forwarded_for: '192.0.2.1',
      }
      for (const path of ['/mcp/', '/admin/', '/', '/user-content/uploads/a.png']) {
        const { headers } = (await raw(slug + path, { headers: forged, version })).json
        const arrived = Object.entries(headers).filter(([name]) => /forward|x-|real|rewrite/.test(name))
        assert.deepEqual(Object.fromEntries(arrived), {
          'x-forwarded-for': '127.0.0.1',
          'x-forwarded-proto': tls ? 'https' : 'http',
        })
        assert.equal(headers.host, `localhost:${fronts.get(where)?.port}`)
      }
    })

    for (const target of [
      '/a%2Fb',
      '//x//y',
      '/a/../b',
      '/a/./b/',
      '/x/%2e%2e/c',
      '/a%20b?x=%2F&y=//z',
      '/mcp%2F',
      '/mcp/../admin/x',
      '/.well-known//x',
      '/user-content/uploads/a%20b.png?size=%2F',
      '/p;a=b',
      '/caf%C3%A9',
    ]) {
      test(`${how}: the target ${slug}${target} arrives as it was sent`, async () => {
        const { status, text } = await raw(slug + target, { version })
        assert.equal(status, 200, text)
        assert.equal(JSON.parse(text).target, slug + target)
      })
    }

    test(`${how}: an own 401, 404 or 503 of the service passes unchanged, and so does where it redirects to`, async () => {
      for (const path of ['/mcp/', '/api/', '/.well-known/none', '/admin/', '/page']) {
        for (const status of [401, 404, 413, 502, 503]) {
          const answer = await raw(slug + path, { headers: { 'x-answer-status': String(status) }, version })
          assert.deepEqual([answer.status, answer.json], [status, { own: status }])
          if (status === 503) assert.equal(answer.headers.get('retry-after'), '7')
        }
        const location = `http://127.0.0.1:${echo.port}/elsewhere`
        const moved = await raw(slug + path, {
          headers: { 'x-answer-status': '302', 'x-answer-location': location },
          version,
        })
        assert.equal(moved.headers.get('location'), location)
      }
    })

    test(`${how}: a request line and an answer's Location of 8 KB pass`, async () => {
      const target = `${slug}/oauth/authorize?state=${'s'.repeat(8200)}`
      const answer = await raw(target, { headers: { 'x-answer-status': '302', 'x-answer-location': target }, version })
      assert.deepEqual([answer.status, answer.headers.get('location') === target], [302, true])
    })

    test(`${how}: a body beyond nginx's own limit is 413 in the door's form`, async () => {
      const tooMuch = { 'content-length': String(66 * 1024 ** 2) }
      // Only announced: nginx answers before it has come.
      const codes: Record<string, unknown> = {}
      for (const path of ['/mcp', '/api/', '/oauth/register']) {
        const refused = await raw(slug + path, { method: 'POST', headers: tooMuch, body: '{', version })
        assert.deepEqual([refused.status, refused.headers.get('content-type')], [413, 'application/json'])
        codes[path] = refused.json.error.code ?? refused.json.error
      }
      assert.deepEqual(codes, { '/mcp': -32600, '/api/': 'too_large', '/oauth/register': 'invalid_request' })
    })

    test(`${how}: nothing on a door or in the admin is compressed, pages are`, async () => {
      const encoding = async (path: string) =>
        (await raw(slug + path, { headers: { 'accept-encoding': 'gzip' }, version })).headers.get('content-encoding')
      for (const name of ['oauth-protected-resource', 'oauth-authorization-server', 'api-catalog'])
        assert.equal(await encoding(`/.well-known/${name}`), null)
      for (const path of ['/mcp/', '/api/', '/oauth/authorize', '/admin/']) assert.equal(await encoding(path), null)
      assert.equal(await encoding('/'), 'gzip')
    })
  }

  test(`nginx ${where}: the log tells doors apart and holds no secret`, async () => {
    const secret = 's3cret-s3cret'
    const headers = { authorization: `Bearer ${secret}`, cookie: `postern=${secret}`, referer: `https://a/?code=${secret}` }
    const paths = {
      mcp: '/mcp/',
      api: '/api',
      oauth: '/oauth/revoke',
      discovery: '/.well-known/x',
      admin: '/admin/',
      page: '/about',
    }
    for (const path of Object.values(paths)) await raw(`${slug}${path}?code=${secret}&access_token=${secret}`, { headers })
    const agent = { 'user-agent': `curl/8 Bearer ${secret}` }
    for (const path of hidden(secret)) await raw(`${slug}${path}`, { headers: agent })
    const log = await (fronts.get(where) as Front).accessLog()
    assert.doesNotMatch(log, /s3cret/)
    assert.match(log, /\/in\/…"/)
    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    for (const [door, path] of Object.entries(paths)) {
      const line = lines.find((one) => one['path'] === `${slug}${path}?-`)
      assert.deepEqual([line?.['door'], line?.['status'], line?.['client']], [door, 200, '127.0.0.1'])
    }
  })
}

for (const version of isDeep ? (['1.1', '2'] as const) : (['2'] as const)) {
  test(`nginx over TLS, HTTP/${version}: a body of 64 MiB arrives whole`, async () => {
    const body = Buffer.alloc(64 * 1024 ** 2, 'a')
    const { json } = await (fronts.get('at the root over TLS') as Front).raw('/admin/x', { method: 'POST', body, version })
    assert.deepEqual([json.bytes, json.sha256], [body.length, createHash('sha256').update(body).digest('hex')])
  })
}

test('nginx in a subdirectory: the documents at the root of the host arrive, and nothing else of it', async () => {
  await using front = await openFront({ basePath: '/blog', upstream: echo.port })
  for (const name of ['oauth-authorization-server', 'oauth-protected-resource', 'openid-configuration', 'api-catalog']) {
    for (const end of ['', '/', '/mcp', '/mcp/']) {
      const target = `/.well-known/${name}/blog${end}`
      assert.equal((await front.raw(target)).json.target, target)
    }
  }
  for (const target of ['/', '/blogx', '/blogx/mcp', '/mcp', '/api/', '/.well-known/api-catalog', '/blog/../x'])
    assert.equal((await front.raw(target)).status, 404, target)
})

test('nginx: an absolute-form target does not smuggle another host past Host', async () => {
  await using front = await openFront({ upstream: echo.port })
  const answer = await front.raw(`http://localhost:${front.port}/mcp/`, { host: 'evil.example' })
  assert.deepEqual([answer.status, answer.json.headers.host], [200, `localhost:${front.port}`])
  assert.equal((await front.raw('http://evil.example/mcp/')).status, 421)
})

test('nginx: events arrive one by one, unbuffered and uncompressed', { timeout: 300_000 }, async () => {
  await using front = await openFront({ upstream: echo.port })
  const headers = { 'x-answer': 'events', 'accept-encoding': 'gzip' }
  const request = get({
    host: '127.0.0.1',
    port: front.port,
    path: '/mcp/',
    headers: { host: `localhost:${front.port}`, ...headers },
  })
  const [response] = await once(request, 'response')
  assert.equal(response.headers['content-encoding'], undefined)
  const [first] = await once(response, 'data')
  // What follows is sent only now, so that a buffer that waits for more would have kept the first event; and then the second.
  assert.equal(String(first), 'data: first\n\n')
  echo.release()
  const [second] = await once(response, 'data')
  assert.equal(String(second), 'data: second\n\n')
  echo.release()
  await once(response, 'end')
})
