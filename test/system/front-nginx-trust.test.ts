// Whose word counts behind nginx: client address, scheme and host as the service sees them (POSTERN_TRUSTED_PROXIES, release profiles).

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { freePorts, type Front, needFront, openFront } from '../front.ts'
import { openSite, type SiteOptions, type TestSite } from '../site.ts'
import { until } from '../until.ts'

interface Seen {
  readonly status: number
  readonly resource: string
  readonly port: number
  /** The client's address in the service's log. */
  readonly client: string
}

const upstream = { tls: 0, plain: 0 }
const fronts = new Map<boolean, Front>()
before(async () => {
  needFront()
  const { port, plainPort } = await freePorts()
  fronts.set(true, await openFront({ upstream: port, tls: true }))
  fronts.set(false, await openFront({ upstream: plainPort }))
  upstream.tls = port
  upstream.plain = plainPort
})
after(async () => {
  for (const front of fronts.values()) await front[Symbol.asyncDispose]()
})

/** What the service behind nginx takes a request for, which comes from 127.0.0.9 and lies about itself. */
async function askThrough(options: SiteOptions & { readonly tls: boolean }, name = 'localhost'): Promise<Seen> {
  const front = fronts.get(options.tls) as Front
  const env = { ...options.env, POSTERN_ACCESS_LOG: 'on', POSTERN_PORT: String(options.tls ? upstream.tls : upstream.plain) }
  await using site = await openSite({ bare: true, ...options, env })
  const forged = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https', forwarded: 'for=198.51.100.7;proto=https' }
  const answer = await front.raw('/.well-known/oauth-protected-resource', {
    headers: forged,
    from: '127.0.0.9',
    host: `${name}:${front.port}`,
  })
  const resource = answer.status === 200 ? (answer.json.resource as string) : ''
  return { status: answer.status, resource, port: front.port, client: await loggedClient(site) }
}

async function loggedClient({ log }: TestSite): Promise<string> {
  const line = () => log.find((one) => one.includes('"path":"/.well-known/oauth-protected-resource"'))
  await until('the request is in the log', () => line() !== undefined)
  return (JSON.parse(line() ?? '') as { client: string }).client
}

const nginxsWord = '127.0.0.9'
const nginxItself = '127.0.0.1'

for (const { rule, env, release, tls = true, scheme, client } of [
  { rule: 'loopback is trusted unless told otherwise', scheme: 'https', client: nginxsWord },
  { rule: 'plain http stays http', tls: false, scheme: 'http', client: nginxsWord },
  { rule: 'an address', env: { POSTERN_TRUSTED_PROXIES: '127.0.0.1' }, scheme: 'https', client: nginxsWord },
  { rule: 'a range', env: { POSTERN_TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.0/30' }, scheme: 'https', client: nginxsWord },
  { rule: 'nobody', env: { POSTERN_TRUSTED_PROXIES: 'none' }, scheme: 'http', client: nginxItself },
  { rule: 'a Unix socket only', env: { POSTERN_TRUSTED_PROXIES: 'unix' }, scheme: 'http', client: nginxItself },
  { rule: 'another range', env: { POSTERN_TRUSTED_PROXIES: '10.0.0.0/8' }, scheme: 'http', client: nginxItself },
  {
    rule: 'release 0.11 takes the word of anyone',
    env: { POSTERN_TRUSTED_PROXIES: 'none' },
    release: '0.11',
    scheme: 'https',
    client: nginxsWord,
  },
  { rule: 'release 0.10 hears of no https', release: '0.10', scheme: 'http', client: nginxsWord },
  { rule: 'release 0.9 hears of no https', release: '0.9', scheme: 'http', client: nginxsWord },
] as readonly {
  readonly rule: string
  readonly env?: Record<string, string>
  readonly release?: '0.9' | '0.10' | '0.11'
  readonly tls?: boolean
  readonly scheme: string
  readonly client: string
}[]) {
  test(`nginx and who is trusted: ${rule}`, async () => {
    const seen = await askThrough({ tls, ...(env ? { env } : {}), ...(release ? { release } : {}) })
    assert.deepEqual([seen.status, seen.resource, seen.client], [200, `${scheme}://localhost:${seen.port}/mcp/`, client])
  })
}

test('nginx and who is trusted: the base address fixes scheme and port, whatever nginx says', async () => {
  const env = { POSTERN_BASE_URL: 'https://localhost' }
  for (const release of ['0.10', '1'] as const) {
    const { resource } = await askThrough({ tls: false, release, env })
    assert.equal(resource, 'https://localhost/mcp/')
  }
})

test('nginx and own hosts: without a setting each of nginx’s names is served, with one that alone', async () => {
  const open = await askThrough({ tls: true }, 'www.localhost')
  assert.equal(open.resource, `https://www.localhost:${open.port}/mcp/`)
  const held = await askThrough({ tls: true, env: { POSTERN_ALLOWED_HOSTS: 'localhost' } }, 'www.localhost')
  assert.equal(held.status, 421)
})
