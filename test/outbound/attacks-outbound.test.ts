// Attacks 116 to 118: what makes a site ask its own network, or choke on what it asked for.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { Failure } from '../../src/base/failure.ts'
import type { Outbound, OutboundOptions } from '../../src/outbound/outbound.ts'
import { isPublicAddress } from '../../src/outbound/public-address.ts'
import { listen, on, outboundTo, publicAddress } from './open-outbound.ts'

/** The failure of a fetch, which must be the one that all are. */
async function refusal(outbound: Outbound, url: string, options?: OutboundOptions): Promise<{ told: string; cause: string }> {
  const failure = await outbound.fetch(url, options).then(
    () => assert.fail(`${url} was fetched`),
    (error: unknown) => error,
  )
  assert.ok(failure instanceof Failure)
  assert.equal(failure.code, 'unreachable')
  return { told: JSON.stringify(failure), cause: String(failure.cause) }
}

for (const address of [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '3fff::1',
  'fc00::1',
  'fd00::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '5f00::1',
  '',
  'localhost',
  '127.1',
]) {
  test(`attack 116: ${JSON.stringify(address)} is not on the public internet`, () =>
    assert.equal(isPublicAddress(address), false))
}

for (const address of [
  '1.1.1.1',
  '100.63.0.1',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '198.17.0.1',
  '::ffff:8.8.8.8',
  '2606:4700::1',
  '2a00::1',
  '2001:200::1',
]) {
  test(`${address} is on the public internet`, () => assert.equal(isPublicAddress(address), true))
}

for (const host of [
  '127.1',
  '127.0.0.1',
  '0x7f.1',
  '0',
  '2130706433',
  '017700000001',
  '[::1]',
  '[::]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fd00::1]',
  '[fe80::1]',
  '169.254.169.254',
  '100.64.0.1',
  'localhost',
  '127.0.0.1.',
  '１２７.0.0.1',
]) {
  test(`attack 116: nothing is sent to http://${host}/`, async () => {
    await using server = await listen((_, response) => response.end('secret'), '127.0.0.1')
    const outbound = outboundTo({ localhost: [['127.0.0.1']] })
    const { cause } = await refusal(outbound, `http://${host}:${server.port}/`, on(server))
    assert.match(cause, /is not a public address/)
    assert.deepEqual(server.asked, [])
  })
}

test('attack 117: a name that is public first and private then is held to the address connected to', async () => {
  await using secret = await listen((_, response) => response.end('secret'), '127.0.0.1')
  await using open = await listen((_, response) => response.end('public'), publicAddress, secret.port)
  const outbound = outboundTo({ 'rebinding.example': [[publicAddress], ['127.0.0.1']] })
  const url = `http://rebinding.example:${open.port}/`
  assert.equal(String(Buffer.from((await outbound.fetch(url, on(open))).body)), 'public')
  assert.match((await refusal(outbound, url, on(open))).cause, /127\.0\.0\.1 is not a public address/)
  assert.deepEqual(secret.asked, [])
})

test('attack 117: one private address among public ones refuses the name', async () => {
  await using open = await listen((_, response) => response.end('public'))
  const outbound = outboundTo({ 'both.example': [[publicAddress, '127.0.0.1']] })
  await refusal(outbound, `http://both.example:${open.port}/`, on(open))
  assert.deepEqual(open.asked, [])
})

for (const [what, location] of [
  ['a private address', (port: number) => `http://127.0.0.1:${port}/`],
  ['a private name', (port: number) => `http://inside.example:${port}/`],
  ['a file', () => 'file:///etc/passwd'],
  ['another scheme', () => 'gopher://public.example/'],
  ['another port', () => 'http://public.example:6379/'],
  ['an address with credentials', (port: number) => `http://a:b@public.example:${port}/`],
  ['no address', () => 'http://['],
] as const) {
  test(`attack 117: a redirect to ${what} is not followed`, async () => {
    await using secret = await listen((_, response) => response.end('secret'), '127.0.0.1')
    await using open = await listen((_, response) => response.writeHead(302, { location: location(secret.port) }).end())
    const outbound = outboundTo({ 'public.example': [[publicAddress]], 'inside.example': [['127.0.0.1']] })
    await refusal(outbound, `http://public.example:${open.port}/`, on(open, secret))
    assert.deepEqual(secret.asked, [])
    assert.equal(open.asked.length, 1)
  })
}

for (const url of [
  'file:///etc/passwd',
  'unix:/run/x.sock',
  'ftp://public.example/',
  'data:,x',
  'http://public.example:6379/',
  'http://a@public.example/',
  'nonsense',
  '',
]) {
  test(`attack 117: ${JSON.stringify(url)} is not asked`, async () => {
    await refusal(outboundTo({ 'public.example': [[publicAddress]] }), url)
  })
}

test('attack 117: nothing that could be a secret goes to another origin', async () => {
  const seen: Record<string, unknown>[] = []
  await using second = await listen((request, response) => {
    seen.push(request.headers)
    response.end()
  })
  await using first = await listen((_, response) =>
    response.writeHead(302, { location: `http://second.example:${second.port}/` }).end(),
  )
  const outbound = outboundTo({ 'first.example': [[publicAddress]], 'second.example': [[publicAddress]] })
  const headers = { Authorization: 'Bearer a', Cookie: 'b=c', 'X-API-Key': 'd', Accept: 'text/plain' }
  await outbound.fetch(`http://first.example:${first.port}/`, { ...on(first, second), headers })
  assert.deepEqual(Object.keys(seen[0] ?? {}).sort(), ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
})

test('attack 117: a body goes to no other origin', async () => {
  await using second = await listen((_, response) => response.end())
  await using first = await listen((_, response) =>
    response.writeHead(307, { location: `http://second.example:${second.port}/` }).end(),
  )
  const outbound = outboundTo({ 'first.example': [[publicAddress]], 'second.example': [[publicAddress]] })
  await refusal(outbound, `http://first.example:${first.port}/`, { ...on(first, second), method: 'POST', body: 'secret' })
  assert.deepEqual(second.asked, [])
})

test('attack 117: no method opens a tunnel, and no header a second request', async () => {
  await using open = await listen((_, response) => response.end())
  const outbound = outboundTo({ 'public.example': [[publicAddress]] })
  const url = `http://public.example:${open.port}/`
  for (const method of ['CONNECT', 'TRACE', 'GET / HTTP/1.1\r\nX: y']) await refusal(outbound, url, { ...on(open), method })
  for (const value of ['a\r\nx: y', 'a\0b']) await refusal(outbound, url, { ...on(open), headers: { 'x-a': value } })
  assert.deepEqual(open.asked, [])
})

test('attack 117: a host is named by the address alone', async () => {
  await using open = await listen((request, response) => response.end(request.headers.host))
  const outbound = outboundTo({ 'public.example': [[publicAddress]] })
  const { body } = await outbound.fetch(`http://public.example:${open.port}/`, {
    ...on(open),
    headers: { Host: 'other.example' },
  })
  assert.equal(String(Buffer.from(body)), `public.example:${open.port}`)
})

const zeros = Buffer.alloc(32 * 1024 ** 2)
for (const [encoding, packed] of [
  ['gzip', gzipSync(zeros)],
  ['br', brotliCompressSync(zeros)],
  ['identity', zeros],
] as const) {
  test(`attack 118: what unpacks to more than was asked for is cut off (${encoding})`, async () => {
    await using open = await listen((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(packed))
    const outbound = outboundTo({ 'public.example': [[publicAddress]] })
    const { cause } = await refusal(outbound, `http://public.example:${open.port}/`, { ...on(open), maxBytes: 1024 ** 2 })
    assert.match(cause, /more than 1048576 bytes/)
  })
}

test('attack 118: a thousand encodings and an unknown one are refused', async () => {
  await using open = await listen((request, response) => {
    const encoding = request.url === '/many' ? Array.from({ length: 1000 }, () => 'gzip').join(',') : 'x-made-up'
    response.writeHead(200, { 'content-encoding': encoding }).end('x')
  })
  const outbound = outboundTo({ 'public.example': [[publicAddress]] })
  for (const path of ['many', 'unknown']) await refusal(outbound, `http://public.example:${open.port}/${path}`, on(open))
})

test('attack 118: an endless, a slow and a broken answer end with the deadline or before', async () => {
  await using open = await listen((request, response) => {
    if (request.url === '/silent') return
    response.writeHead(200, request.url === '/broken' ? { 'content-encoding': 'gzip' } : {})
    const drip = setInterval(() => response.write('x'), 20)
    response.once('close', () => clearInterval(drip))
  })
  const outbound = outboundTo({ 'public.example': [[publicAddress]] })
  for (const path of ['silent', 'slow', 'broken'])
    await refusal(outbound, `http://public.example:${open.port}/${path}`, { ...on(open), timeoutMs: 300 })
})

test('attack 118: the connection of a refused answer is closed', async () => {
  let closed: Promise<unknown> = Promise.resolve()
  await using open = await listen((request, response) => {
    request.socket.on('error', () => undefined)
    closed = new Promise((resolve) => request.socket.once('close', resolve))
    response.end(Buffer.alloc(1024 ** 2))
  })
  const outbound = outboundTo({ 'public.example': [[publicAddress]] })
  await refusal(outbound, `http://public.example:${open.port}/`, { ...on(open), maxBytes: 10 })
  await closed
})

test('attack 118: refusals all read alike, and the log knows the reason', async () => {
  await using open = await listen((_, response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end())
  const outbound = outboundTo({ 'public.example': [[publicAddress]], 'inside.example': [['10.0.0.1']] })
  const told = new Set<string>()
  for (const url of [
    `http://inside.example:${open.port}/`,
    `http://unknown.example:${open.port}/`,
    `http://public.example:${open.port}/`,
    `http://127.0.0.1:${open.port}/`,
    'http://public.example:6379/',
    'file:///etc/passwd',
  ])
    told.add((await refusal(outbound, url, on(open))).told)
  assert.equal(told.size, 1)
  assert.match(outbound.lines.join('\n'), /10\.0\.0\.1 is not a public address/)
})
