// The authorization request over the running service: the two pages of the specification, and errors by redirect.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { authorizeUrl, callback, register } from '../doors/oauth/flow.ts'
import { openSite, type SiteOptions, type TestSite } from '../site.ts'

const places: Readonly<Record<string, SiteOptions>> = {
  'at the root': { bare: true },
  'below a slug': { bare: true, basePath: '/blog' },
}

for (const [place, options] of Object.entries(places)) {
  let site: TestSite
  let clientId: string
  before(async () => {
    site = await openSite(options)
    clientId = await register(site)
  })
  after(() => site[Symbol.asyncDispose]())

  type Changes = Parameters<typeof authorizeUrl>[2]
  const ask = async (changes: Changes) => {
    const answer = await fetch(authorizeUrl(site.base, clientId, changes), { redirect: 'manual' })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }

  const pages: readonly (readonly [rule: string, changes: () => Changes, title: string, sentence: () => string])[] = [
    ['no client_id', () => ({ client_id: undefined }), 'Unknown client', () => 'The client_id is missing or invalid.'],
    [
      'attack 33: an unsigned client_id',
      () => ({ client_id: clientId.split('.')[0] }),
      'Unknown client',
      () => 'The client_id is missing or invalid.',
    ],
    [
      'attack 35: an https client_id',
      () => ({ client_id: 'https://a.example/x.json' }),
      'Unknown client',
      () => 'The client_id is missing or invalid.',
    ],
    [
      'no resource',
      () => ({ resource: undefined }),
      'Invalid resource',
      () => '<p>The resource does not match this server. Received: </p>',
    ],
    [
      'another resource',
      () => ({ resource: 'https://other.example/mcp/' }),
      'Invalid resource',
      () => 'The resource does not match this server. Received: https://other.example/mcp/</p>',
    ],
    ['the expected resource', () => ({ resource: 'x' }), 'Invalid resource', () => `Expected: ${site.base}/mcp/`],
    [
      'attack 38: markup in resource',
      () => ({ resource: '<script>alert(1)</script>' }),
      'Invalid resource',
      () => 'Received: &lt;script&gt;alert(1)&lt;/script&gt;',
    ],
    [
      'attack 38: a long resource',
      () => ({ resource: 'r'.repeat(8000) }),
      'Invalid resource',
      () => `Received: ${'r'.repeat(200)}…</p>`,
    ],
    [
      'attack 36: a redirect_uri of another path',
      () => ({ redirect_uri: 'https://evil.example/' }),
      'Invalid redirect',
      () => 'Received: https://evil.example/',
    ],
    [
      'attack 37: a doubled state',
      () => ({ state: ['a', 'b'] }),
      'Invalid request',
      () => 'The parameter state came more than once.',
    ],
  ]
  for (const [rule, changes, title, sentence] of pages) {
    test(`${place}: ${rule}: 400, the page “${title}”, and no Location`, async () => {
      const { status, headers, text } = await ask(changes())
      assert.equal(status, 400)
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
      assert.equal(headers.get('location'), null)
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/)
      assert.ok(text.includes(`<title>${title}</title>`), text)
      assert.ok(text.includes(`<h1>${title}</h1>`))
      assert.ok(text.includes(sentence()), text)
    })
  }

  test(`${place}: attack 39, attack 40, attack 46: what the client did wrong goes back to it, with state and iss, and no token`, async () => {
    const { json: metadata } = await site.send('/.well-known/openid-configuration')
    for (const [changes, error] of [
      [{ code_challenge: undefined }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: undefined }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
    ] as const) {
      const { status, headers } = await ask(changes)
      assert.equal(status, 302)
      const location = new URL(headers.get('location') ?? '')
      assert.equal(location.origin + location.pathname, callback)
      const { searchParams: answer } = location
      assert.deepEqual([answer.get('error'), answer.get('state'), answer.get('iss')], [error, 'af0ifjsldkj', metadata.issuer])
      assert.ok(!answer.has('code') && !answer.has('access_token') && location.hash === '')
    }
  })

  test(`${place}: attack 45: a state that would split the answer is echoed once, encoded`, async () => {
    for (const state of ['x&code=evil', `a\r\nSet-Cookie: b=c`, 's'.repeat(8000), 'ü \u0100 %00']) {
      const { headers } = await ask({ state, response_type: 'token' })
      const location = headers.get('location') ?? ''
      assert.match(location, /^[\x21-\x7e]+$/)
      assert.deepEqual(new URL(location).searchParams.getAll('state'), [state])
      assert.equal(headers.get('set-cookie'), null)
    }
  })

  test(`${place}: a request with both forms of the resource is no 400, and no code comes of a GET (attack 41)`, async () => {
    for (const resource of [`${site.base}/mcp`, `${site.base}/mcp/`]) {
      const { status, headers } = await ask({ resource })
      assert.notEqual(status, 400)
      assert.ok(!(headers.get('location') ?? '').includes('code='))
    }
  })
}

test('attack 38: a resource of a megabyte is refused before it is looked at', async () => {
  await using site = await openSite({ bare: true })
  const answer = await fetch(authorizeUrl(site.base, 'x', { resource: 'r'.repeat(1_000_000) }))
  assert.equal(answer.status, 431)
  assert.equal((await site.send('/healthz')).status, 200)
})

for (const release of ['0.10', '0.11'] as const) {
  test(`release ${release}: a request without state is an error that goes back`, async () => {
    await using site = await openSite({ bare: true, release })
    const url = authorizeUrl(site.base, await register(site), { state: undefined })
    const answer = await fetch(url, { redirect: 'manual' })
    assert.equal(answer.status, 302)
    assert.equal(new URL(answer.headers.get('location') ?? '').searchParams.get('error'), 'invalid_request')
  })
}

test('each own host is told of itself: issuer, iss and expected resource agree', async () => {
  await using site = await openSite({ bare: true, env: { POSTERN_BASE_URL: 'https://example.org' } })
  const clientId = await register(site)
  const { request } = await import('node:http')
  for (const host of ['example.org', 'www.example.org']) {
    const get = (path: string) =>
      new Promise<{ location: string; text: string }>((resolve, reject) => {
        const sent = request({ port: site.port, host: '127.0.0.1', path, headers: { host } }, (answer) => {
          let text = ''
          answer.on('data', (part: Buffer) => (text += part.toString()))
          answer.on('end', () => resolve({ location: answer.headers.location ?? '', text }))
        })
        sent.on('error', reject).end()
      })
    const { issuer } = JSON.parse((await get('/.well-known/oauth-authorization-server')).text)
    assert.equal(issuer, `https://${host}`)
    const wrong = authorizeUrl(`https://${host}`, clientId, { resource: 'x' })
    assert.ok((await get(wrong.pathname + wrong.search)).text.includes(`Expected: https://${host}/mcp/`))
    // The twin's resource is the same audience.
    const twin = authorizeUrl('https://example.org', clientId, { response_type: 'token' })
    assert.equal(new URL((await get(twin.pathname + twin.search)).location).searchParams.get('iss'), issuer)
  }
})
