// The discovery documents on a running site: at the root and below a slug, in each form, by release, behind proxies.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { shareSites } from '../shared-sites.ts'
import { openSite, type TestSite } from '../site.ts'

const siteOf = shareSites()

/** A GET that names a host and headers of its choice, at the origin's root. */
function getAs(site: TestSite, host: string, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number | undefined; json: Record<string, unknown>; challenge: string | undefined }>(
    (resolve, reject) => {
      const method = path.endsWith('/mcp/') && !path.includes('.well-known') ? 'POST' : 'GET'
      const sent = request({ port: site.port, host: '127.0.0.1', path, method, headers: { host, ...headers } }, (response) => {
        let text = ''
        response.on('data', (part) => (text += String(part)))
        response.on('end', () =>
          resolve({ status: response.statusCode, json: JSON.parse(text), challenge: response.headers['www-authenticate'] }),
        )
      })
      sent.on('error', reject)
      sent.end()
    },
  )
}

for (const [place, basePath] of [
  ['at the root', ''],
  ['below a slug', '/blog'],
] as const) {
  test(`${place}: each document at each of its addresses, the same for all, never to be kept`, async () => {
    const site = await siteOf({ basePath, bare: true })
    const { base } = site
    const resource = (path: string) => ({
      resource: base + path,
      authorization_servers: [base],
      scopes_supported: ['read', 'content', 'admin'],
      bearer_methods_supported: ['header'],
    })
    const below = (name: string) => `/.well-known/${name}`
    // From the origin's root, with the path inserted (RFC 8414 §3.1, RFC 9728 §3.1).
    const inserted = (name: string, path = '') => `//.well-known/${name}${basePath}${path}`
    const documents: readonly (readonly [paths: readonly string[], holds: Record<string, unknown>])[] = [
      [['', '/', '/mcp/'].map((form) => below(`oauth-protected-resource${form}`)), resource('/mcp/')],
      [[below('oauth-protected-resource/mcp'), inserted('oauth-protected-resource', '/mcp')], resource('/mcp')],
      [[inserted('oauth-protected-resource', '/mcp/'), inserted('oauth-protected-resource')], resource('/mcp/')],
      [
        [below('oauth-authorization-server'), below('oauth-authorization-server/'), inserted('oauth-authorization-server')],
        {
          issuer: base,
          authorization_endpoint: `${base}/oauth/authorize`,
          token_endpoint: `${base}/oauth/token`,
          registration_endpoint: `${base}/oauth/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
          authorization_response_iss_parameter_supported: true,
        },
      ],
      [
        [below('openid-configuration'), below('openid-configuration/'), inserted('openid-configuration', '/')],
        {
          issuer: base,
          jwks_uri: `${base}/oauth/jwks`,
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        },
      ],
    ]
    for (const [paths, holds] of documents) {
      for (const path of paths) {
        const answer = await site.send(path)
        assert.equal(answer.status, 200, path)
        for (const [member, value] of Object.entries(holds)) assert.deepEqual(answer.json[member], value, `${path} ${member}`)
        assert.equal(answer.headers.get('content-type'), 'application/json')
        assert.equal(answer.headers.get('cache-control'), 'no-store')
        assert.equal(answer.headers.get('access-control-allow-origin'), '*')
        for (const name of ['etag', 'last-modified']) assert.equal(answer.headers.has(name), false, `${path} ${name}`)
        assert.equal('client_id_metadata_document_supported' in answer.json, false)
        const head = await site.send(path, { method: 'HEAD' })
        assert.deepEqual([head.status, head.text], [200, ''])
        assert.equal((await site.send(path, { method: 'OPTIONS' })).status, 204)
      }
    }
  })

  test(`${place}: the catalogue names both endpoints, in the type that is asked for`, async () => {
    const site = await siteOf({ basePath, bare: true })
    const plain = await site.send('/.well-known/api-catalog')
    assert.equal(plain.headers.get('content-type'), 'application/json')
    const { linkset } = plain.json
    assert.deepEqual(linkset[0], {
      anchor: `${site.base}/.well-known/api-catalog`,
      item: [{ href: `${site.base}/mcp/` }, { href: `${site.base}/api/` }],
    })
    const typed = await site.send('/.well-known/api-catalog', { headers: { accept: 'application/linkset+json' } })
    assert.equal(typed.headers.get('content-type'), 'application/linkset+json')
    assert.equal(typed.text, plain.text)
    assert.equal(typed.headers.get('vary'), 'Accept')
  })

  test(`${place}: any other path below /.well-known/ is a JSON 404, whatever the method`, async () => {
    const site = await siteOf({ basePath, bare: true })
    for (const path of [
      '/.well-known/nothing',
      '/.well-known/oauth-authorization-server/mcp',
      '/.well-known/',
      '//.well-known/x/y',
    ]) {
      for (const method of ['GET', 'POST']) {
        const answer = await site.send(path, { method })
        assert.equal(answer.status, 404, `${method} ${path}`)
        assert.equal(answer.headers.get('content-type'), 'application/json')
        assert.equal(answer.json.error, 'not_found')
      }
    }
    const refused = await site.send('/.well-known/oauth-authorization-server', { method: 'POST' })
    assert.equal(refused.status, 405)
    assert.match(refused.headers.get('allow') ?? '', /^GET\b/)
  })
}

test('release 0.9 names no registration', async () => {
  const site = await siteOf({ release: '0.9', env: {}, bare: true })
  for (const name of ['oauth-authorization-server', 'openid-configuration']) {
    const document = (await site.send(`/.well-known/${name}`)).json
    assert.equal('registration_endpoint' in document, false)
    assert.equal(document.issuer, site.base)
  }
})

const issuer = '/.well-known/oauth-authorization-server'
const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' }
for (const [release, env, scheme] of [
  ['0.9', {}, 'http'],
  ['0.10', {}, 'http'],
  ['0.11', {}, 'https'],
  ['0.11', { POSTERN_TRUSTED_PROXIES: 'none' }, 'https'],
  ['1', {}, 'https'],
  ['1', { POSTERN_TRUSTED_PROXIES: 'none' }, 'http'],
] as const) {
  const trust = 'POSTERN_TRUSTED_PROXIES' in env ? 'nobody' : 'the proxy'
  test(`release ${release}, trusting ${trust}: X-Forwarded-Proto: https advertises ${scheme}`, async () => {
    const site = await siteOf({ release, env, bare: true })
    const { json } = await getAs(site, 'localhost', issuer, forwarded)
    assert.equal(json['issuer'], `${scheme}://localhost`)
    assert.equal(json['token_endpoint'], `${scheme}://localhost/oauth/token`)
  })
}

test('apex and www each name themselves, in documents and challenge; the base address fixes scheme and port', async () => {
  await using site = await openSite({ bare: true, env: { POSTERN_BASE_URL: 'https://example.org:8443/cms' } })
  for (const host of ['example.org', 'www.example.org']) {
    const base = `https://${host}:8443/cms`
    const sent = `${host}:8443`
    assert.equal((await getAs(site, sent, `/cms${issuer}`)).json['issuer'], base)
    assert.equal((await getAs(site, sent, `${issuer}/cms`)).json['issuer'], base)
    const resource = await getAs(site, sent, '/cms/.well-known/oauth-protected-resource')
    assert.equal(resource.json['resource'], `${base}/mcp/`)
    const { challenge } = await getAs(site, sent, '/cms/mcp/')
    assert.ok(challenge?.startsWith(`Bearer resource_metadata="${base}/.well-known/oauth-protected-resource"`), challenge)
  }
})

test('attack 15, attack 18: a forwarded or foreign host stands in no document', async () => {
  await using site = await openSite({ bare: true, env: { POSTERN_BASE_URL: 'https://example.org' } })
  const poison = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example;proto=http' }
  assert.equal((await getAs(site, 'example.org', issuer, poison)).json['issuer'], 'https://example.org')
  const foreign = await getAs(site, 'evil.example', issuer)
  assert.equal(foreign.status, 421)
  assert.ok(!('issuer' in foreign.json))
  assert.equal((await getAs(site, 'example.org', issuer)).json['issuer'], 'https://example.org')
})

test('a site that knows no host of its own names each as it is asked, however many come', async () => {
  const site = await siteOf({ basePath: '', bare: true })
  for (let i = 0; i < 200; i++) {
    const { json } = await getAs(site, `h${i}.example`, issuer, forwarded)
    assert.equal(json['issuer'], `https://h${i}.example`)
  }
})
