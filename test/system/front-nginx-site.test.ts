// A whole site behind nginx, as its clients meet it over TLS: discovery, Authorization in all its forms, sign-in, cookies, who is trusted.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { letIn } from '../admin/let-in.ts'
import { isDeep } from '../deep-run.ts'
import { openVisitor, ownersPassword } from '../admin/visitor.ts'
import { basicHeader, freePorts, type Front, needFront, openFront } from '../front.ts'
import type { Sent } from '../front-send.ts'
import { authorizeUrl, callback, exchangeForm, makeProof, postForm, register } from '../doors/oauth/flow.ts'
import { openSite, type TestSite } from '../site.ts'

interface Fronted {
  readonly site: TestSite
  readonly front: Front
}

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

async function openFronted(basePath: string, settings: (base: string) => Record<string, string>): Promise<Fronted> {
  needFront()
  const ports = await freePorts()
  const site = await openSite({ env: settings(`https://localhost:${ports.port}${basePath}`) })
  return { site, front: await openFront({ upstream: site.port, basePath, tls: true, ports, home: site.home }) }
}

const installs: readonly (readonly [where: string, basePath: string, settings: (base: string) => Record<string, string>])[] = [
  ['at the root, by its canonical address', '', (base) => ({ POSTERN_BASE_URL: base })],
  ['in a subdirectory, by its canonical address', '/blog', (base) => ({ POSTERN_BASE_URL: base })],
  ['in a subdirectory, by the request', '/blog', () => ({ POSTERN_BASE_PATH: '/blog' })],
]

/** A usual run leaves out the one that is like both others. */
for (const [where, basePath, settings] of installs.filter((_, place) => isDeep || place !== 1)) {
  const how = `nginx, a site ${where}`
  let site: TestSite
  let front: Front
  before(async () => ({ site, front } = await openFronted(basePath, settings)))
  after(async () => {
    await front[Symbol.asyncDispose]()
    await site[Symbol.asyncDispose]()
  })

  for (const name of ['localhost', 'www.localhost']) {
    for (const version of ['1.1', '2'] as const) {
      test(`${how}: discovery names ${name} as it was asked, by HTTP/${version}, and is never kept`, async () => {
        const host = `${name}:${front.port}`
        const base = `https://${host}${basePath}`
        const inserted = basePath === '' ? [] : [`/.well-known/oauth-protected-resource${basePath}`]
        for (const target of [`${basePath}/.well-known/oauth-protected-resource`, ...inserted]) {
          const {
            status,
            headers,
            json: document,
          } = await front.raw(target, { host, version, headers: { 'accept-encoding': 'gzip' } })
          assert.deepEqual([status, headers.get('content-type')], [200, 'application/json'])
          assert.deepEqual(
            [headers.get('etag'), headers.get('last-modified'), headers.get('content-encoding')],
            [null, null, null],
          )
          assert.equal(headers.get('cache-control'), 'no-store')
          assert.deepEqual([document.resource, document.authorization_servers], [`${base}/mcp/`, [base]])
        }
        const issuer = await front.raw(`${basePath}/.well-known/oauth-authorization-server`, { host, version })
        assert.deepEqual([issuer.json.issuer, issuer.json.token_endpoint], [base, `${base}/oauth/token`])
        assert.equal((await front.raw(`${basePath}/.well-known/api-catalog`, { host, version })).status, 200)
        const { status, headers } = await front.raw(`${basePath}/mcp/`, {
          host,
          version,
          method: 'POST',
          headers: json,
          body: initialize,
        })
        assert.equal(status, 401)
        assert.match(headers.get('www-authenticate') ?? '', new RegExp(`^Bearer .*resource_metadata="https://${host}/`))
      })
    }
  }

  for (const path of ['/mcp', '/mcp/', '/MCP', '/MCP/']) {
    test(`${how}: POST ${path} with a token is answered, without one or with a wrong one it is 401`, async () => {
      const post = (token: string | null) => front.send(path, { method: 'POST', token, headers: json, body: initialize })
      const answer = await post(site.token)
      assert.deepEqual([answer.status, answer.json.result.serverInfo.name], [200, 'postern'])
      for (const token of [null, 'garbage']) {
        const refused = await post(token)
        assert.deepEqual([refused.status, refused.json.id], [401, null])
        assert.equal(refused.json.error.message, 'Authentication required. See WWW-Authenticate.')
      }
      const empty = await front.send(path, { method: 'POST', token: site.token, headers: json })
      assert.deepEqual([empty.json.error.code, empty.json.error.message], [-32700, 'Empty request body'])
    })
  }

  test(`${how}: /api tells which token arrived, and takes a wrong one for none`, async () => {
    const welcome = (path: string, token: string | null) =>
      front.send(path, { method: 'POST', token, body: '{"class":"SVC_API","action":"welcome"}' })
    for (const path of ['/api', '/api/', '/API/']) {
      assert.equal((await welcome(path, site.token)).json.data.you.token.name, 'test')
      const { status, json: answer } = await welcome(path, 'garbage')
      assert.deepEqual([status, answer.success, answer.data.you.token], [200, true, null])
    }
  })

  test(`${how}: a person who asks for /mcp/ reads what it is; an unknown document is a JSON 404`, async () => {
    const orientation = await front.send('/mcp/', { headers: { accept: 'text/html' } })
    assert.deepEqual([orientation.status, orientation.headers.get('content-type')], [200, 'text/plain; charset=utf-8'])
    const none = await front.send('/.well-known/none')
    assert.deepEqual([none.status, none.json.error.code ?? none.json.error], [404, 'not_found'])
  })

  test(`${how}: a body over Postern's own limit is told so by Postern`, async () => {
    const body = JSON.stringify({ action: 'SVC_API.welcome', filler: 'x'.repeat(7 * 1024 ** 2) })
    for (const version of ['1.1', '2'] as const) {
      const answer = await front.send('/api/', { method: 'POST', token: site.token, body, version })
      assert.deepEqual([answer.status, answer.json.error.code], [413, 'too_large'])
    }
  })

  for (const name of ['localhost', 'www.localhost']) {
    test(`${how}: on ${name} an app signs in and calls; cookies are for this host over https alone`, async () => {
      const address = `https://${name}:${front.port}`
      const base = address + basePath
      const visited = { address, base, fetch: front.fetch }
      const send: Front['send'] = (path, options) => front.send(path, { host: `${name}:${front.port}`, ...options })
      const clientId = await register({ send })
      const { verifier, challenge } = makeProof()
      const back = new URL(await letIn(visited, authorizeUrl(base, clientId, { code_challenge: challenge }).href))
      assert.deepEqual([back.searchParams.get('iss'), back.searchParams.get('state')], [base, 'af0ifjsldkj'])
      const exchanged = await postForm(
        { send },
        '/oauth/token',
        exchangeForm(back.searchParams.get('code') ?? '', clientId, verifier),
      )
      assert.equal(exchanged.status, 200, exchanged.text)
      const sent: Sent = {
        method: 'POST',
        headers: { ...json, authorization: `Bearer ${exchanged.json.access_token}` },
        body: initialize,
      }
      assert.equal((await send('/mcp/', sent)).status, 200)

      const owner = openVisitor(visited)
      const signedIn = await owner.signIn()
      assert.ok(signedIn.status === 302 || signedIn.status === 303, signedIn.text)
      const prefix = basePath === '' ? '__Host-' : '__Secure-'
      assert.deepEqual([...owner.cookies.keys()].sort(), [`${prefix}postern`, `${prefix}postern-known`])
      for (const line of signedIn.headers.getSetCookie()) {
        assert.match(line, new RegExp(`; Path=${basePath || '/'};`))
        assert.match(line, /; HttpOnly; SameSite=Lax; Secure/)
        assert.doesNotMatch(line, /Domain/i)
      }
      const home = await owner.open('/admin/')
      assert.deepEqual([home.status, home.headers.get('content-encoding')], [200, null])
      assert.match(home.headers.get('strict-transport-security') ?? '', /max-age=/)
    })
  }
}

test('nginx: the official MCP client signs in by itself, from the bare address to a call that only an admin may make', async () => {
  const { site, front } = await openFronted('', (base) => ({ POSTERN_BASE_URL: base }))
  const kept = new Map<string, unknown>()
  const provider = {
    redirectUrl: callback,
    clientMetadata: { client_name: 'Official client', redirect_uris: [callback], token_endpoint_auth_method: 'none' },
    clientInformation: () => kept.get('client') as never,
    saveClientInformation: (client: unknown) => void kept.set('client', client),
    tokens: () => kept.get('tokens') as never,
    saveTokens: (tokens: unknown) => void kept.set('tokens', tokens),
    saveCodeVerifier: (verifier: string) => void kept.set('verifier', verifier),
    codeVerifier: () => kept.get('verifier') as string,
    redirectToAuthorization: async (url: URL) => void kept.set('back', await letIn(front, url.href)),
  }
  const open = () =>
    new StreamableHTTPClientTransport(new URL(`${front.base}/mcp/`), { authProvider: provider, fetch: front.fetch })
  const client = new Client({ name: 'postern-test', version: '1.0.0' })
  try {
    const first = open()
    await assert.rejects(client.connect(first), /unauthorized/i)
    await first.finishAuth(new URL(kept.get('back') as string).searchParams.get('code') ?? '')
    await client.connect(open())
    const input = { type: 'page', title: 'Through nginx', status: 'published', body: 'Here.' }
    await client.callTool({ name: 'SVC_API__call-action', arguments: { action: 'SVC_Content.create', arguments: input } })
    assert.equal((await front.send('/through-nginx')).status, 200)
  } finally {
    await client.close()
    await front[Symbol.asyncDispose]()
    await site[Symbol.asyncDispose]()
  }
})

test('nginx: basic auth over the site leaves calls alone, and Postern takes no offence at what nginx asked', async () => {
  await using site = await openSite()
  await using front = await openFront({ upstream: site.port, basicAuth: true, tls: true })
  assert.equal((await front.send('/admin/sign-in')).status, 401)
  const visitor = openVisitor(front, { authorization: basicHeader })
  assert.equal((await visitor.open('/')).status, 200)
  const form = (await visitor.open('/admin/sign-in')).form('/admin/sign-in')
  const signedIn = await visitor.submit(form, { email: 'owner@example.org', password: ownersPassword })
  assert.equal((await visitor.follow(signedIn)).status, 200)
  const post = (token: string | null) => front.send('/mcp', { method: 'POST', token, headers: json, body: initialize })
  assert.equal((await post(site.token)).status, 200)
  assert.match((await post(null)).headers.get('www-authenticate') ?? '', /^Bearer /)
})
