// `/mcp/` and `/api/` by release (INTERFACE.md "Versioning"): who is let in, which forms of the address there are, what bad text does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareSites } from '../shared-sites.ts'
import type { SiteOptions } from '../site.ts'

const siteOf = shareSites()

type Release = NonNullable<SiteOptions['release']>

const json = { 'content-type': 'application/json' }
const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
const post = { method: 'POST', headers: json, body: message }

/** What a POST to each form of the address gets. `page` is the site's own 404, without a challenge. */
type Got = 'answer' | 'redirect' | 'page'
const forms: readonly (readonly [release: Release, basePath: string, bare: Got, upper: Got, upperSlash: Got])[] = [
  ['0.9', '', 'redirect', 'redirect', 'page'],
  ['0.9', '/blog', 'redirect', 'redirect', 'page'],
  ['0.10', '', 'answer', 'redirect', 'page'],
  ['0.10', '/blog', 'redirect', 'redirect', 'page'],
  ['0.11', '', 'answer', 'answer', 'answer'],
  ['0.11', '/blog', 'answer', 'answer', 'answer'],
  ['1', '', 'answer', 'answer', 'answer'],
  ['1', '/blog', 'answer', 'answer', 'answer'],
]
for (const [release, basePath, bare, upper, upperSlash] of forms) {
  test(`release ${release}${basePath && ` below ${basePath}`}: /mcp → ${bare}, /MCP → ${upper}, /MCP/ → ${upperSlash}`, async () => {
    const site = await siteOf({ release, basePath })
    assert.equal((await site.send('/mcp/', post)).status, 200)
    for (const [path, got] of [
      ['/mcp', bare],
      ['/MCP', upper],
      ['/MCP/', upperSlash],
    ] as const) {
      for (const method of ['POST', 'GET'] as const) {
        const answer = await site.send(path, method === 'POST' ? post : {})
        const about = `${method} ${path}`
        if (got === 'redirect') {
          assert.equal(answer.status, 302, about)
          assert.equal(answer.headers.get('location'), `${basePath}${path}/`)
          assert.equal(answer.headers.get('x-redirect-by'), 'Postern')
          assert.equal(answer.text, '')
        } else if (got === 'page') {
          assert.equal(answer.status, 404, about)
          assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
          assert.equal(answer.headers.has('www-authenticate'), false)
        } else assert.equal(answer.status, 200, about)
      }
    }
  })
}

test('the redirect comes before any challenge, and what follows it is told that its body is empty', async () => {
  const site = await siteOf({ release: '0.10', basePath: '/blog' })
  assert.equal((await site.send('/mcp', { ...post, token: null })).status, 302)
  const followed = await site.send('/mcp/', { token: null, headers: { ...json, accept: 'application/json, text/event-stream' } })
  assert.equal(followed.status, 401)
  assert.deepEqual(followed.json, { jsonrpc: '2.0', error: { code: -32700, message: 'Empty request body' }, id: null })
})

test('release 0.9 lets anonymous callers in to read, whatever credential they lack', async () => {
  const site = await siteOf({ release: '0.9', basePath: '' })
  await site.call('SVC_Content.create', { type: 'page', title: 'Draft', slug: 'draft' })
  const call = (action: string, input: unknown, token: string | null) => {
    const params = { name: 'SVC_API__call-action', arguments: { action, arguments: input } }
    return site.send('/mcp/', { ...post, token, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) })
  }
  for (const token of [null, 'garbage', `pst_${'a'.repeat(43)}`]) {
    const welcome = await call('SVC_API.welcome', {}, token)
    assert.equal(welcome.status, 200)
    assert.equal(welcome.json.result.structuredContent.data.you.tier, 'anonymous')
    const hidden = await call('SVC_Content.get', { id: '/draft' }, token)
    assert.equal(hidden.json.result.structuredContent.error.code, 'not_found')
    const write = await call('SVC_Content.create', { type: 'page', title: 'x' }, token)
    assert.equal(write.json.result.structuredContent.error.message, 'Unknown tool: SVC_Content.create')
  }
  assert.equal((await call('SVC_Content.get', { id: '/draft' }, site.token)).json.result.structuredContent.success, true)
  assert.equal((await site.send('/mcp/', { method: 'POST', token: null })).status, 200)
  assert.equal((await site.send('/mcp/', { headers: { accept: 'text/event-stream' }, token: null })).status, 405)
  const tooLarge = await site.send('/mcp/', { ...post, token: null, body: `"${'x'.repeat(300_000)}"` })
  assert.equal(tooLarge.status, 413)
})

test('releases from 0.10 on challenge whoever has no usable token', async () => {
  for (const release of ['0.10', '0.11', '1'] as const) {
    const site = await siteOf({ release, basePath: '' })
    assert.equal((await site.send('/mcp/', { ...post, token: null })).status, 401, release)
  }
})

const badByte = Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'), Buffer.from([0xff]), Buffer.from('"}')])
const badCall = Buffer.concat([Buffer.from('{"class":"SVC_API","action":"'), Buffer.from([0xff]), Buffer.from('"}')])
const loneId = '{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}'
const loneCall = '{"class":"SVC_API","action":"\\ud800"}'

for (const release of ['0.9', '0.10'] as const) {
  test(`release ${release}: attack 14: a bad byte in a request, or a lone surrogate in an answer, gives 200 and an empty body`, async () => {
    const site = await siteOf({ release, basePath: '' })
    for (const [path, body] of [
      ['/mcp/', badByte],
      ['/mcp/', loneId],
      ['/mcp/', `[${loneId}]`],
      ['/api/', badCall],
      ['/api/', loneCall],
    ] as const) {
      const answer = await site.send(path, { ...post, body })
      assert.deepEqual([answer.status, answer.text], [200, ''], `${path} ${String(body)}`)
    }
    const written = await site.api('SVC_Content.create', { type: 'page', title: 'a \ud800 b' })
    assert.deepEqual([written.status, written.text], [200, ''])
  })
}

test('release 0.11: attack 14: a bad byte in a request becomes U+FFFD', async () => {
  const site = await siteOf({ release: '0.11', basePath: '' })
  assert.equal((await site.send('/mcp/', { ...post, body: badByte })).json.error.message, 'Method not found: \ufffd')
  assert.equal((await site.send('/api/', { ...post, body: badCall })).json.error.message, 'Unknown tool: SVC_API.\ufffd')
})

test('release 1: attack 14: a bad byte in a request is refused by its place; a lone surrogate in an answer becomes U+FFFD', async () => {
  const site = await siteOf({ release: '1', basePath: '' })
  const rpc = await site.send('/mcp/', { ...post, body: badByte })
  assert.deepEqual([rpc.status, rpc.json.error.code], [400, -32700])
  const call = await site.send('/api/', { ...post, body: badCall })
  assert.deepEqual([call.status, call.json.error.code, call.json.error.position], [400, 'malformed', 29])
  assert.match(call.json.error.message, /0xFF at offset 29/)
  assert.equal((await site.send('/mcp/', { ...post, body: loneId })).json.id, '\ufffd')
  const lone = await site.send('/api/', { ...post, body: loneCall })
  assert.equal(lone.json.error.message, 'Unknown tool: SVC_API.\ufffd')
  assert.equal(Number(lone.headers.get('content-length')), Buffer.byteLength(lone.text))
})
