// `/mcp/` on the level of HTTP, on a running site: who is let in, by which method, with which body; and how it says no.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSite, type SendOptions, type TestSite } from '../site.ts'

let site: TestSite
before(async () => {
  site = await openSite({ env: { POSTERN_MAX_JSON_BYTES: '100000' } })
})
after(() => site[Symbol.asyncDispose]())

const json = { 'content-type': 'application/json' }
const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
const post = (body: string | Uint8Array, more: SendOptions = {}) =>
  site.send('/mcp/', { method: 'POST', body, ...more, headers: { ...json, ...more.headers } })

const unauthorized = {
  jsonrpc: '2.0',
  error: { code: -32001, message: 'Authentication required. See WWW-Authenticate.' },
  id: null,
}
const emptyBody = { jsonrpc: '2.0', error: { code: -32700, message: 'Empty request body' }, id: null }

test('with a usable token a message is answered, in either form of the address and in any case', async () => {
  for (const path of ['/mcp/', '/mcp', '/MCP', '/Mcp/']) {
    const answer = await site.send(path, { method: 'POST', headers: json, body: message })
    assert.equal(answer.status, 200, path)
    assert.deepEqual(answer.json, { jsonrpc: '2.0', id: 1, result: {} })
    assert.equal(answer.headers.get('content-type'), 'application/json')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(answer.headers.get('mcp-session-id'), null)
    assert.equal(answer.headers.get('ratelimit-limit'), '3000')
  }
})

const challenges: readonly (readonly [rule: string, path: string, send: SendOptions, presented: boolean])[] = [
  ['no token', '/mcp/', { body: message }, false],
  ['no token, and a body that is no JSON', '/mcp/', { body: '{' }, false],
  ['attack 72: a token that is garbage', '/mcp/', { body: message, token: 'garbage' }, true],
  ['attack 72: a token that was never made', '/mcp/', { body: message, token: `pst_${'a'.repeat(43)}` }, true],
  ['Basic, which counts as no token', '/mcp/', { body: message, headers: { authorization: 'Basic YTpi' } }, false],
  [
    'attack 70: a cookie and a simple form',
    '/mcp/',
    { body: message, headers: { cookie: 'postern=x', 'content-type': 'text/plain' } },
    false,
  ],
  ['the form without a slash', '/mcp', { body: message }, false],
]
for (const [rule, path, send, presented] of challenges) {
  test(`401 with the challenge: ${rule}`, async () => {
    const answer = await site.send(path, { method: 'POST', token: null, ...send, headers: { ...json, ...send.headers } })
    assert.equal(answer.status, 401)
    assert.deepEqual(answer.json, unauthorized)
    const form = path === '/mcp' ? '/mcp' : ''
    assert.equal(
      answer.headers.get('www-authenticate'),
      `Bearer resource_metadata="${site.base}/.well-known/oauth-protected-resource${form}", scope="admin"` +
        (presented ? ', error="invalid_token"' : ''),
    )
    const document = await site.send(`/.well-known/oauth-protected-resource${form}`)
    assert.equal(document.json.resource, site.base + path)
  })
}

test('attack 73: a token in the query is no token, and stands in no log line', async () => {
  const answer = await site.send(`/mcp/?access_token=${site.token}`, {
    method: 'POST',
    token: null,
    headers: json,
    body: message,
  })
  assert.equal(answer.status, 401)
  assert.ok(!site.log.join('\n').includes(site.token))
})

test('an empty POST is told so: 200 with a usable token, 401 with the challenge without one', async () => {
  const known = await site.send('/mcp/', { method: 'POST' })
  assert.equal(known.status, 200)
  assert.deepEqual(known.json, emptyBody)
  const typed = await post('')
  assert.deepEqual([typed.status, typed.json], [200, emptyBody])
  const stranger = await site.send('/mcp/', { method: 'POST', token: null })
  assert.equal(stranger.status, 401)
  assert.deepEqual(stranger.json, emptyBody)
  assert.match(stranger.headers.get('www-authenticate') ?? '', /^Bearer resource_metadata="/)
})

for (const [rule, headers, withToken, status] of [
  ['plainly', {}, false, 200],
  ['as a browser does', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }, false, 200],
  ['for a stream, with a token', { accept: 'text/event-stream' }, true, 405],
  ['for a stream, without one', { accept: 'text/event-stream' }, false, 401],
  ['for JSON, with a token', { accept: 'application/json, text/event-stream' }, true, 405],
  ['with a JSON content type, as a redirect leaves it', json, true, 405],
  ['with a JSON content type, without a token', json, false, 401],
] as const) {
  test(`GET ${rule} → ${status}`, async () => {
    const answer = await site.send('/mcp/', { headers, ...(withToken ? {} : { token: null }) })
    assert.equal(answer.status, status)
    if (status === 200) {
      assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/)
      assert.match(answer.text, /MCP endpoint/)
    } else {
      assert.deepEqual(answer.json, emptyBody)
      assert.equal(answer.headers.get('allow'), status === 405 ? 'POST' : null)
      assert.equal(answer.headers.has('www-authenticate'), status === 401)
    }
  })
}

test('any other method is 405 with Allow: POST, in the form of the endpoint', async () => {
  for (const method of ['DELETE', 'PUT', 'PATCH', 'PROPFIND']) {
    const answer = await site.send('/mcp/', { method })
    assert.equal(answer.status, 405, method)
    assert.equal(answer.headers.get('allow'), 'POST')
    assert.equal(answer.json.error.code, -32600)
    assert.equal(answer.json.id, null)
  }
})

test('attack 82: a preflight is answered without a token, and credentials are never allowed', async () => {
  const answer = await site.send('/mcp/', {
    method: 'OPTIONS',
    token: null,
    headers: { origin: 'https://claude.ai', 'access-control-request-method': 'POST' },
  })
  assert.equal(answer.status, 204)
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  assert.equal(answer.headers.has('access-control-allow-credentials'), false)
  for (const name of ['Authorization', 'Content-Type', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Last-Event-ID'])
    assert.ok(answer.headers.get('access-control-allow-headers')?.includes(name), name)
  const refused = await site.send('/mcp/', { token: null, method: 'POST', headers: json, body: message })
  assert.match(refused.headers.get('access-control-expose-headers') ?? '', /WWW-Authenticate/)
})

test('attack 82: an Origin that may not call is 403 in the form of the endpoint, whatever the method', async () => {
  for (const method of ['POST', 'GET', 'OPTIONS']) {
    for (const origin of ['http://evil.example', 'null']) {
      const answer = await site.send('/mcp/', {
        method,
        headers: { ...json, origin },
        ...(method === 'POST' ? { body: message } : {}),
      })
      assert.equal(answer.status, 403, `${method} ${origin}`)
      assert.equal(answer.json.jsonrpc, '2.0')
      assert.equal(answer.json.id, null)
    }
  }
  assert.equal((await post(message, { headers: { origin: 'https://claude.ai' } })).status, 200)
  assert.equal((await post(message, { headers: { origin: site.address } })).status, 200)
})

test('the owner may name the origins that may call', async () => {
  const set = (value: unknown) => site.call('SVC_Settings.update', { set: { mcp_origins: value } })
  await set(['https://tool.example'])
  assert.equal((await post(message, { headers: { origin: 'https://tool.example' } })).status, 200)
  assert.equal((await post(message, { headers: { origin: 'https://claude.ai' } })).status, 403)
  await set(null)
  assert.equal((await post(message, { headers: { origin: 'https://claude.ai' } })).status, 200)
})

for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'multipart/form-data; boundary=x']) {
  test(`a body of type ${type} is 415 with -32600`, async () => {
    const answer = await post(message, { headers: { 'content-type': type } })
    assert.equal(answer.status, 415)
    assert.equal(answer.json.error.code, -32600)
  })
}

test('a JSON content type may have parameters and any case', async () => {
  assert.equal((await post(message, { headers: { 'content-type': 'Application/JSON; charset=utf-8' } })).status, 200)
})

const bytes = (...parts: (string | number)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))))

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const refusals: readonly (readonly [rule: string, body: string | Uint8Array, status: number, code: number, says: RegExp])[] = [
  ['not JSON', '{"jsonrpc"', 400, -32700, /Parse error/],
  ['attack 74: 100,000 levels deep', '['.repeat(100_000).slice(0, 99_000), 400, -32700, /64 levels/],
  ['a byte that is not UTF-8', bytes('{"jsonrpc":"2.0","id":1,"method":"', 0xff, '"}'), 400, -32700, /0xFF at offset 34/],
  ['no message', '{}', 400, -32600, /JSON-RPC/],
  ['a text', '"ping"', 400, -32600, /JSON-RPC/],
  ['attack 75: an empty batch', '[]', 400, -32600, /batch/],
  ['attack 75: a batch in a batch', '[[]]', 400, -32600, /batch/],
  ['attack 75: a batch of 51', JSON.stringify(Array.from({ length: 51 }, () => ping)), 400, -32600, /batch/],
  ['a batch with something else in it', JSON.stringify([ping, 1]), 400, -32600, /batch/],
  ['a batch with initialize in it', JSON.stringify([{ ...ping, method: 'initialize' }]), 400, -32600, /batch/],
  ['attack 75: an id that is an object', JSON.stringify({ ...ping, id: {} }), 400, -32600, /JSON-RPC/],
  ['attack 75: an id of 50,000 letters', JSON.stringify({ ...ping, id: 'x'.repeat(50_000) }), 400, -32600, /JSON-RPC/],
  ['larger than may be sent', `"${'x'.repeat(100_000)}"`, 413, -32600, /100000 bytes/],
]
for (const [rule, body, status, code, says] of refusals) {
  test(`a body that is refused: ${rule} → ${status}, ${code}`, async () => {
    const answer = await post(body)
    assert.equal(answer.status, status)
    assert.equal(answer.json.error.code, code)
    assert.equal(answer.json.id, null)
    assert.match(answer.json.error.message, says)
    assert.equal((await post(message)).status, 200)
  })
}

test('a host that is not served is 421 as a JSON-RPC error', async () => {
  await using named = await openSite({ bare: true, env: { POSTERN_BASE_URL: 'https://example.org' } })
  const { request } = await import('node:http')
  const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const headers = { ...json, host: 'evil.example' }
    const sent = request({ port: named.port, host: '127.0.0.1', path: '/mcp/', method: 'POST', headers }, (response) => {
      let text = ''
      response.on('data', (part) => (text += String(part)))
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
    sent.on('error', reject)
    sent.end(message)
  })
  assert.equal(answer.status, 421)
  assert.equal(JSON.parse(answer.text).jsonrpc, '2.0')
  assert.ok(!answer.text.includes('www-authenticate'))
})

test('more calls than allowed are 429 with Retry-After, each message of a batch counted', async () => {
  await using limited = await openSite({ env: { POSTERN_TOKEN_CALLS_PER_MINUTE: '4' } })
  const send = (body: unknown) => limited.send('/mcp/', { method: 'POST', headers: json, body: JSON.stringify(body) })
  const batch = await send([ping, { ...ping, id: 2 }, { ...ping, id: 3 }])
  assert.equal(batch.status, 200)
  assert.equal((await send(ping)).headers.get('ratelimit-remaining'), '0')
  const refused = await send(ping)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal(refused.json.error.data.code, 'rate_limited')
})
