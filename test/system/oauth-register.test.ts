// Registration over the running service: what is taken, what is refused, and that nothing is kept or fetched.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { authorizeUrl, callback, postRegistration, register } from '../doors/oauth/flow.ts'
import { readRows } from '../rows.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
before(async () => {
  site = await openSite({ bare: true, env: { POSTERN_RATE_LIMITS: 'off' } })
})
after(() => site[Symbol.asyncDispose]())

const post = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  site.send('/oauth/register', { method: 'POST', token: null, headers, body })

test('a client is registered with 201 and told what stands', async () => {
  const answer = await postRegistration(site, {
    grant_types: ['authorization_code', 'refresh_token', 'implicit'],
    application_type: 'native',
    token_endpoint_auth_method: 'client_secret_basic',
    software_id: 'x',
  })
  assert.equal(answer.status, 201)
  assert.equal(answer.headers.get('content-type'), 'application/json')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  const { client_id: id, client_id_issued_at: at, ...rest } = answer.json
  assert.match(id, /^[\w-]+\.[\w-]{43}$/)
  assert.ok(Math.abs(at - Date.now() / 1000) < 60)
  assert.deepEqual(rest, {
    client_name: 'Claude',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  })
})

test('what well-known clients send is taken', async () => {
  for (const uri of [
    'https://claude.ai/api/mcp/auth_callback',
    'https://claude.com/api/mcp/auth_callback',
    'https://chatgpt.com/connector/oauth/AbC123',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'http://localhost:54545/callback',
    'http://127.0.0.1:3334/oauth/callback',
    'https://vscode.dev/redirect',
    'vscode://dynamicauthprovider/redirect',
  ]) {
    assert.equal((await postRegistration(site, { redirect_uris: [uri] })).status, 201, uri)
  }
  assert.equal((await postRegistration(site, { client_name: undefined })).json.client_name, undefined)
})

const refused: readonly (readonly [rule: string, metadata: Record<string, unknown>, error: string])[] = [
  ['attack 25: a URI that runs', { redirect_uris: ['JavaScript:alert(1)'] }, 'invalid_redirect_uri'],
  ['attack 25: one bad URI among good ones', { redirect_uris: [callback, ' java\tscript:x'] }, 'invalid_redirect_uri'],
  ['attack 26: http off loopback', { redirect_uris: ['http://localhost@evil/cb'] }, 'invalid_redirect_uri'],
  ['attack 27: a fragment', { redirect_uris: ['https://a.example/#x'] }, 'invalid_redirect_uri'],
  ['attack 27: a line break', { redirect_uris: ['https://a.example/\r\nx'] }, 'invalid_redirect_uri'],
  ['attack 28: a host that writes into a policy', { redirect_uris: ['https://a;sandbox,x/cb'] }, 'invalid_redirect_uri'],
  [
    'attack 31: 17 URIs',
    { redirect_uris: Array.from({ length: 17 }, (_, at) => `https://a.example/${at}`) },
    'invalid_redirect_uri',
  ],
  ['attack 31: no array', { redirect_uris: callback }, 'invalid_redirect_uri'],
  ['attack 31: an empty array', { redirect_uris: [] }, 'invalid_redirect_uri'],
  ['attack 31: none at all', { redirect_uris: undefined }, 'invalid_redirect_uri'],
  ['a URI that is no text', { redirect_uris: [{ toString: 'x' }] }, 'invalid_redirect_uri'],
  ['a name that is no text', { client_name: { a: 1 } }, 'invalid_client_metadata'],
  ['a name that is too long', { client_name: 'x'.repeat(201) }, 'invalid_client_metadata'],
  ['grant types without codes', { grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
  ['response types without codes', { response_types: ['token'] }, 'invalid_client_metadata'],
  [
    'attack 31: an id that would be too long',
    { redirect_uris: [1, 2].map((at) => `https://a.example/${String(at).repeat(1900)}`) },
    'invalid_client_metadata',
  ],
]
for (const [rule, metadata, error] of refused) {
  test(`${rule}: 400 ${error}, in JSON`, async () => {
    const answer = await postRegistration(site, metadata)
    assert.equal(answer.status, 400)
    assert.equal(answer.headers.get('content-type'), 'application/json')
    assert.equal(answer.json.error, error)
    assert.match(answer.json.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  })
}

for (const [rule, body, status] of [
  ['1,000 URIs', JSON.stringify({ redirect_uris: Array.from({ length: 1000 }, (_, at) => `https://a.example/${at}`) }), 400],
  ['a name of a megabyte', JSON.stringify({ redirect_uris: [callback], client_name: 'x'.repeat(1_000_000) }), 413],
  ['a form', 'redirect_uris=https%3A%2F%2Fa.example', 400],
  ['nothing', '', 400],
  ['an array', '[]', 400],
  ['half a JSON', '{"redirect_uris":', 400],
  ['a depth of 1,000', '{"a":'.repeat(1000) + '1' + '}'.repeat(1000), 400],
] as const) {
  test(`attack 31: ${rule}: ${status}, in JSON`, async () => {
    const answer = await post(body)
    assert.equal(answer.status, status)
    assert.equal(typeof answer.json.error, 'string')
  })
}

test('attack 31: the longest id that is issued fits a request line of 8 KiB', async () => {
  const id = await register(site, { redirect_uris: [`https://a.example/${'x'.repeat(1900)}`] })
  assert.ok(id.length <= 4096)
  const url = authorizeUrl(site.base, id, { redirect_uri: `https://a.example/${'x'.repeat(1900)}` })
  assert.ok(url.href.length < 8192)
  assert.notEqual((await fetch(url, { redirect: 'manual' })).status, 400)
})

test('attack 29: a name is one line without what turns or hides text, and markup in it is text', async () => {
  const answer = await postRegistration(site, { client_name: '  <img src=x onerror=alert(1)>\u202e evil\r\nClaude\u0000\u2028 ' })
  assert.equal(answer.json.client_name, '<img src=x onerror=alert(1)> evil Claude')
})

test('attack 30: addresses in the metadata are never fetched, and not echoed', async () => {
  let asked = 0
  const server = createServer((_request, response) => void (asked++, response.end('{}')))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const answer = await postRegistration(site, { logo_uri: address, jwks_uri: address, client_uri: address, policy_uri: address })
  assert.equal(answer.status, 201)
  assert.ok(!answer.text.includes(address))
  const metadataId = await fetch(authorizeUrl(site.base, `${address}client.json`), { redirect: 'manual' })
  assert.equal(metadataId.status, 400)
  await new Promise((resolve) => setTimeout(resolve, 200))
  assert.equal(asked, 0)
  await new Promise((resolve) => server.close(resolve))
})

test('attack 32: past the limit an address gets 429 with Retry-After, and no registration leaves a row', async () => {
  await using limited = await openSite({ bare: true })
  const rows = await readRows(limited.home)
  const statuses: number[] = []
  for (let count = 0; count < 32; count++) statuses.push((await postRegistration(limited)).status)
  assert.deepEqual(statuses, [...Array.from({ length: 30 }, () => 201), 429, 429])
  const answer = await postRegistration(limited)
  assert.ok(Number(answer.headers.get('retry-after')) > 3000)
  assert.equal(answer.json.error, 'temporarily_unavailable')
  assert.deepEqual(await readRows(limited.home), rows)
})

test('other methods are refused, a preflight is answered', async () => {
  const get = await site.send('/oauth/register', { token: null })
  assert.deepEqual([get.status, get.headers.get('allow'), get.json.error], [405, 'POST, OPTIONS', 'invalid_request'])
  const options = await site.send('/oauth/register', { method: 'OPTIONS', token: null })
  assert.equal(options.status, 204)
})

for (const [release, status] of [
  ['0.9', 404],
  ['0.10', 201],
  ['0.11', 201],
  ['1', 201],
] as const) {
  test(`release ${release}: registration is ${status === 201 ? 'on' : 'off: 404 in JSON'}`, async () => {
    await using one = await openSite({ bare: true, release })
    const answer = await postRegistration(one)
    assert.equal(answer.status, status)
    assert.equal(answer.headers.get('content-type'), 'application/json')
    const { json: document } = await one.send('/.well-known/oauth-authorization-server')
    assert.equal(document.registration_endpoint !== undefined, status === 201)
  })
}
