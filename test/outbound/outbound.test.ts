// What a fetch answers, how it follows redirects, and the one exception: the site's own address.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { listen, on, outboundTo, publicAddress } from './open-outbound.ts'

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString()
const names = { 'public.example': [[publicAddress]] }

for (const [encoding, pack] of [
  ['gzip', gzipSync],
  ['X-GZip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
  ['identity', (plain: string) => Buffer.from(plain)],
] as const) {
  test(`an answer is unpacked (${encoding})`, async () => {
    await using open = await listen((_, response) =>
      response.writeHead(201, { 'content-encoding': encoding, 'x-a': 'b' }).end(pack('hello')),
    )
    const answer = await outboundTo(names).fetch(`http://public.example:${open.port}/x?y`, on(open))
    assert.deepEqual([answer.status, text(answer.body), answer.headers['x-a']], [201, 'hello', 'b'])
    assert.equal(answer.url, `http://public.example:${open.port}/x?y`)
    assert.deepEqual(open.asked, ['GET /x?y'])
  })
}

test('method, headers and body are sent', async () => {
  await using open = await listen((request, response) => {
    const parts: string[] = [`${request.method} ${String(request.headers['x-key'])} `]
    request.setEncoding('utf8').on('data', (part: string) => parts.push(part))
    request.on('end', () => response.end(parts.join('')))
  })
  const options = { ...on(open), method: 'POST', headers: { 'X-Key': 'k' }, body: 'sent' }
  assert.equal(text((await outboundTo(names).fetch(`http://public.example:${open.port}/`, options)).body), 'POST k sent')
})

test('a packed answer to HEAD has no body, and is no failure', async () => {
  await using open = await listen((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': '20' }).end(),
  )
  const { status, body } = await outboundTo(names).fetch(`http://public.example:${open.port}/`, { ...on(open), method: 'HEAD' })
  assert.deepEqual([status, body.length], [200, 0])
})

test('five redirects are followed, a sixth is not; with none, the redirect is the answer', async () => {
  await using open = await listen((request, response) => {
    const left = Number(request.url?.slice(1))
    if (left === 0) response.end('here')
    else response.writeHead(302, { location: `/${left - 1}` }).end()
  })
  const outbound = outboundTo(names)
  const base = `http://public.example:${open.port}`
  const answer = await outbound.fetch(`${base}/5`, on(open))
  assert.deepEqual([text(answer.body), answer.url], ['here', `${base}/0`])
  await assert.rejects(outbound.fetch(`${base}/6`, on(open)), { code: 'unreachable' })
  const { status, headers } = await outbound.fetch(`${base}/5`, { ...on(open), maxHops: 0 })
  assert.deepEqual([status, headers['location']], [302, '/4'])
})

for (const [status, method, then] of [
  [301, 'POST', 'GET'],
  [302, 'POST', 'GET'],
  [303, 'PUT', 'GET'],
  [307, 'POST', 'POST'],
  [308, 'PUT', 'PUT'],
  [302, 'HEAD', 'HEAD'],
] as const) {
  test(`after ${status} a ${method} goes on as ${then}`, async () => {
    await using open = await listen((request, response) => {
      if (request.url === '/a') response.writeHead(status, { location: '/b' }).end()
      else response.end()
    })
    const body = method === 'HEAD' ? {} : { body: 'x' }
    await outboundTo(names).fetch(`http://public.example:${open.port}/a`, { ...on(open), method, ...body })
    assert.deepEqual(open.asked, [`${method} /a`, `${then} /b`])
  })
}

test('a host that the caller may not ask is not asked, on no hop', async () => {
  await using open = await listen((_, response) =>
    response.writeHead(302, { location: `http://other.example:${open.port}/` }).end(),
  )
  const outbound = outboundTo({ ...names, 'other.example': [[publicAddress]] })
  const allowHost = (host: string) => host === 'public.example'
  await assert.rejects(outbound.fetch(`http://public.example:${open.port}/`, { ...on(open), allowHost }), { code: 'unreachable' })
  await assert.rejects(outbound.fetch(`http://other.example:${open.port}/`, { ...on(open), allowHost }), { code: 'unreachable' })
  assert.deepEqual(open.asked, ['GET /'])
})

test('the site’s own host may be asked on any address and port, with the target as it stands; no other host', async () => {
  await using own = await listen((_, response) => response.end('own'), '127.0.0.1')
  const outbound = outboundTo(
    { 'site.example': [['127.0.0.1']], 'other.example': [['127.0.0.1']] },
    { POSTERN_BASE_URL: 'https://site.example' },
  )
  const options = { ownAddress: true, rawPath: '//a/../%2e%2e/b\\c' }
  assert.equal(text((await outbound.fetch(`http://site.example:${own.port}/`, options)).body), 'own')
  assert.deepEqual(own.asked, ['GET //a/../%2e%2e/b\\c'])
  await assert.rejects(outbound.fetch(`http://other.example:${own.port}/`, { ownAddress: true }), { code: 'unreachable' })
  await assert.rejects(outbound.fetch(`http://site.example:${own.port}/`, on(own)), { code: 'unreachable' })
})

test('without a base address the site has no own address', async () => {
  await using own = await listen((_, response) => response.end('own'), '127.0.0.1')
  await assert.rejects(outboundTo({}).fetch(`http://127.0.0.1:${own.port}/`, { ownAddress: true }), { code: 'unreachable' })
})
