// Attacks 15 to 19, 23 and 24: what a peer may say about itself and the host, and who believes it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure } from '../../src/http/failure.ts'
import { createOriginDecider } from '../../src/http/origin.ts'
import type { HostPolicy, Origin, OriginFacts } from '../../src/http/origin.ts'
import { openServer, policy, request, talk } from './raw.ts'

const configured: HostPolicy = {
  ...policy,
  ownHosts: ['example.org', 'www.example.org'],
  baseUrl: { scheme: 'https', host: 'example.org', path: '' },
}
const allowedOnly: HostPolicy = { ...policy, ownHosts: ['example.org', 'cms.example.net:8443'] }
const everywhere: HostPolicy = { ...policy, listening: '0.0.0.0' }
const trusting: HostPolicy = { ...policy, trustedProxies: ['10.0.0.0/8', 'unix', '2001:db8::/32'] }
const release11: HostPolicy = { ...policy, forwardedProto: 'anyone', forwardedFor: 'anyone' }
const release10: HostPolicy = { ...release11, forwardedProto: 'ignored' }

const direct: OriginFacts = {
  peer: '127.0.0.1',
  local: '127.0.0.1',
  host: 'localhost:8080',
  forwardedFor: undefined,
  forwardedProto: undefined,
}
const stranger = { peer: '203.0.113.9', local: '192.0.2.1' }
const proxied = { forwardedFor: '198.51.100.7', forwardedProto: 'https', host: 'example.org' }

interface Row {
  readonly rule: string
  readonly under: HostPolicy
  readonly sent: Partial<OriginFacts>
  readonly is: Partial<Origin> | 'wrong_host' | 'malformed'
}

const rows: readonly Row[] = [
  {
    rule: "attack 15: an untrusted peer's X-Forwarded-For and -Proto have no effect",
    under: everywhere,
    sent: { ...stranger, ...proxied, host: '192.0.2.1' },
    is: { client: '203.0.113.9', scheme: 'http', host: '192.0.2.1', forwarded: false, ownHost: true },
  },
  {
    rule: "attack 15: an untrusted peer's headers let no foreign host through",
    under: everywhere,
    sent: { ...stranger, ...proxied },
    is: 'wrong_host',
  },
  {
    rule: 'attack 15: with no proxy trusted, loopback is a peer like any',
    under: { ...policy, trustedProxies: ['none'] },
    sent: { ...proxied, host: 'localhost' },
    is: { client: '127.0.0.1', scheme: 'http', forwarded: false },
  },
  {
    rule: 'attack 16: the address is taken from the right',
    under: policy,
    sent: { ...proxied, forwardedFor: '1.2.3.4, 198.51.100.7' },
    is: { client: '198.51.100.7' },
  },
  {
    rule: 'attack 16: our own proxies are passed over',
    under: trusting,
    sent: { ...proxied, peer: '10.0.0.2', forwardedFor: '1.2.3.4, 198.51.100.7,10.1.1.1 , 2001:db8::5' },
    is: { client: '198.51.100.7' },
  },
  {
    rule: 'attack 16: where all are our own, the first is the client',
    under: trusting,
    sent: { ...proxied, peer: '10.0.0.2', forwardedFor: '10.0.0.9, 10.0.0.3' },
    is: { client: '10.0.0.9' },
  },
  {
    rule: 'attack 16: junk gives the peer',
    under: policy,
    sent: { ...proxied, forwardedFor: '198.51.100.7, unknown' },
    is: { client: '127.0.0.1' },
  },
  {
    rule: 'attack 16: junk left of the client is never reached',
    under: policy,
    sent: { ...proxied, forwardedFor: '<script>, 198.51.100.7' },
    is: { client: '198.51.100.7' },
  },
  {
    rule: 'an entry may have a port',
    under: policy,
    sent: { ...proxied, forwardedFor: '[2001:db8::7]:4711' },
    is: { client: '2001:db8::7' },
  },
  {
    rule: 'an IPv4-mapped peer is its IPv4 address',
    under: policy,
    sent: { ...proxied, peer: '::ffff:127.0.0.1' },
    is: { client: '198.51.100.7', forwarded: true },
  },
  {
    rule: 'a peer on a trusted Unix socket is a proxy',
    under: trusting,
    sent: { ...proxied, peer: undefined },
    is: { client: '198.51.100.7', forwarded: true, scheme: 'https' },
  },
  {
    rule: 'attack 17: two schemes are none',
    under: policy,
    sent: { ...proxied, forwardedProto: 'https,http' },
    is: { scheme: 'http' },
  },
  {
    rule: 'attack 17: javascript is no scheme',
    under: policy,
    sent: { ...proxied, forwardedProto: 'javascript' },
    is: { scheme: 'http' },
  },
  { rule: "a trusted proxy's scheme counts", under: policy, sent: proxied, is: { scheme: 'https', host: 'example.org' } },
  {
    rule: 'the base address fixes scheme',
    under: configured,
    sent: { ...proxied, forwardedProto: 'http' },
    is: { scheme: 'https', host: 'example.org' },
  },
  {
    rule: "release 0.11 believes anybody's scheme and address",
    under: release11,
    sent: { ...stranger, ...proxied, host: 'localhost' },
    is: { scheme: 'https', client: '198.51.100.7', forwarded: false },
  },
  { rule: "release 0.10 believes nobody's scheme", under: release10, sent: proxied, is: { scheme: 'http' } },
  {
    rule: "attack 18: a host that isn't own is refused",
    under: configured,
    sent: { ...proxied, host: 'evil.example' },
    is: 'wrong_host',
  },
  {
    rule: 'attack 18: a longer name is another',
    under: configured,
    sent: { ...proxied, host: 'example.org.evil.example' },
    is: 'wrong_host',
  },
  {
    rule: 'attack 18: a name with a last dot is another',
    under: configured,
    sent: { ...proxied, host: 'example.org.' },
    is: 'wrong_host',
  },
  {
    rule: "attack 18: loopback names aren't own behind a proxy",
    under: configured,
    sent: { ...proxied, host: 'localhost' },
    is: 'wrong_host',
  },
  {
    rule: 'the www twin is advertised as itself',
    under: configured,
    sent: { ...proxied, host: 'WWW.Example.ORG' },
    is: { host: 'www.example.org', ownHost: true },
  },
  {
    rule: 'the base address fixes the port',
    under: { ...configured, baseUrl: { scheme: 'https', host: 'example.org:8443', path: '' } },
    sent: { ...proxied, host: 'www.example.org:1' },
    is: { host: 'www.example.org:8443' },
  },
  {
    rule: 'a direct loopback name is served, and the base address advertised',
    under: configured,
    sent: direct,
    is: { host: 'example.org', scheme: 'https', ownHost: true },
  },
  {
    rule: 'the port of the scheme is left out',
    under: allowedOnly,
    sent: { ...proxied, host: 'example.org:443' },
    is: { host: 'example.org' },
  },
  {
    rule: 'an allowed host with a port is that port only',
    under: allowedOnly,
    sent: { ...proxied, host: 'cms.example.net:81' },
    is: 'wrong_host',
  },
  {
    rule: 'an allowed host with its port is own',
    under: allowedOnly,
    sent: { ...proxied, host: 'cms.example.net:8443' },
    is: { host: 'cms.example.net:8443' },
  },
  { rule: 'attack 19: DNS rebinding is refused', under: policy, sent: { host: 'evil.example' }, is: 'wrong_host' },
  {
    rule: 'attack 19: with a forwarding header it passes, as no own host',
    under: policy,
    sent: { ...proxied, host: 'evil.example' },
    is: { host: 'evil.example', ownHost: false, forwarded: true },
  },
  {
    rule: 'a direct request may name the address listened on',
    under: { ...policy, listening: '192.0.2.1' },
    sent: { ...stranger, host: '192.0.2.1:8080' },
    is: { host: '192.0.2.1:8080' },
  },
  {
    rule: 'listening everywhere, it may name the address it came to',
    under: { ...policy, listening: '::' },
    sent: { peer: '2001:db8::9', local: '2001:db8::1', host: '[2001:db8::1]:8080' },
    is: { host: '[2001:db8::1]:8080' },
  },
  {
    rule: 'listening everywhere, no other address will do',
    under: everywhere,
    sent: { ...stranger, host: '192.0.2.2' },
    is: 'wrong_host',
  },
  { rule: 'a host in brackets must be an address', under: policy, sent: { host: '[::zz]' }, is: 'malformed' },
]

for (const { rule, under, sent, is } of rows) {
  test(rule, () => {
    const decide = createOriginDecider(under)
    const facts: OriginFacts = { ...direct, ...sent }
    if (typeof is === 'string')
      assert.throws(
        () => decide(facts),
        (error) => error instanceof HttpFailure && error.code === is,
      )
    else for (let again = 0; again < 2; again++) assert.deepEqual({ ...decide(facts), ...is }, decide(facts))
  })
}

test('what is remembered of a host is not told to another peer', () => {
  const decide = createOriginDecider({ ...policy, ownHosts: ['example.org'] })
  assert.equal(decide({ ...direct, host: 'example.org' }).client, '127.0.0.1')
  assert.equal(decide({ ...direct, host: 'example.org', peer: '203.0.113.9' }).client, '203.0.113.9')
})

test("attack 18: a foreign host is 421 before routing, in the door's form", async () => {
  await using server = await openServer({ hosts: { ownHosts: ['example.org'] } })
  const [answer] = (await talk(server.port, request('POST /tell/', { host: 'evil.example' }, '{}'))).answers
  assert.equal(answer?.status, 421)
  assert.deepEqual([answer.json()['code'], answer.json()['door']], ['wrong_host', 'mcp'])
})

test('attacks 15 and 24: X-Forwarded-Host, Forwarded and rewriting headers change nothing', async () => {
  await using server = await openServer()
  const plain = (await talk(server.port, request('GET /tell/'))).answers[0]
  const hostile = {
    'x-forwarded-host': 'evil',
    forwarded: 'for=1.2.3.4;host=evil;proto=https',
    'x-original-url': '/moved/',
    'x-rewrite-url': '/moved/',
    'x-forwarded-prefix': '/evil',
  }
  const sent = (await talk(server.port, request('GET /tell/', hostile))).answers[0]
  assert.deepEqual(sent?.json(), plain?.json())
})

for (const target of [
  '//evil.example',
  '//moved',
  '/%5cevil.example',
  '/%5Cmoved',
  '/\\moved',
  '///moved',
  '/%2fmoved',
  '//evil.example/..',
]) {
  test(`attack 23: no redirect leads away from ${target}`, async () => {
    await using server = await openServer()
    const [answer] = (await talk(server.port, request(`GET ${target}`))).answers
    assert.ok(answer?.status === 404 || answer?.status === 400, String(answer?.status))
    assert.equal(answer?.headers.has('location'), false)
  })
}

test('attack 23: the slash redirect stays on this host, keeps the query and has its own header', async () => {
  await using server = await openServer({ basePath: '/blog' })
  const [answer] = (await talk(server.port, request('POST /blog/moved?a=//evil', {}, '{}'))).answers
  assert.equal(answer?.status, 302)
  assert.equal(answer.headers.get('location'), '/blog/moved/?a=//evil')
  assert.equal(answer.headers.get('x-redirect-by'), 'Test')
  assert.equal(answer.headers.get('content-length'), '0')
})
