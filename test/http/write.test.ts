// What goes over the wire for a reply: length, HEAD, bodiless statuses, events, conditional answers.

import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { codePoint, fc } from '../properties.ts'
import { etagOf, notModified, notModifiedReply } from '../../src/http/conditional.ts'
import { eventText } from '../../src/http/event-stream.ts'
import { headerUrl, headerValue } from '../../src/http/header-text.ts'
import { bytes, empty, events, html, json, stream, text } from '../../src/http/reply.ts'
import type { Reply } from '../../src/http/reply.ts'
import type { Route } from '../../src/http/route.ts'
import { longMs, openServer, request, talk } from './raw.ts'

async function* chunks(...parts: string[]) {
  for (const part of parts) yield Buffer.from(part)
}

const replies: Readonly<Record<string, () => Reply>> = {
  json: () => json(201, { é: '€😀' }),
  html: () => html(200, '<p>é'),
  bytes: () => bytes(200, Uint8Array.of(0, 255, 13, 10), { 'content-type': 'image/png' }),
  empty: () => empty(200),
  'no-content': () => empty(204),
  cookies: () => text(200, 'x', { 'set-cookie': ['a=1', 'b=2'], 'x-content-type-options': 'other' }),
  declared: () => stream(200, chunks('ab', 'cd'), { 'content-length': '4' }),
  undeclared: () => stream(200, chunks('ab', 'cd'), { 'content-type': 'text/plain' }),
  short: () => stream(200, chunks('ab'), { 'content-length': '4' }),
  lied: () => text(200, 'abc', { 'content-length': '99' }),
  'bad-name': () => text(200, 'abc', { 'not a name': 'x' }),
}
const routes = Object.entries(replies).map(([name, reply]): Route => ({
  path: `/${name}`,
  slash: 'exact',
  letterCase: 'exact',
  methods: { GET: reply },
}))

test('a length is in bytes and exact, whatever the body', async () => {
  await using server = await openServer({ routes })
  for (const [name, body] of [
    ['json', '{"é":"€😀"}'],
    ['html', '<p>é'],
    ['empty', ''],
    ['lied', 'abc'],
    ['declared', 'abcd'],
  ] as const) {
    const [answer] = (await talk(server.port, request(`GET /${name}`))).answers
    assert.equal(answer?.body, body)
    assert.equal(answer.headers.get('content-length'), String(Buffer.byteLength(body)))
  }
  assert.ok((await talk(server.port, request('GET /bytes'))).raw.endsWith('\r\n\r\n\x00\xff\r\n'))
})

test('head and body of a small answer leave in one write, whatever characters it has; those of a large one arrive whole', async (t) => {
  const large = 'é'.repeat(20_000)
  // Newer versions of Node join a text with its head themselves.
  const plain = { 'content-type': 'text/plain; charset=utf-8' }
  const big: Route = {
    path: '/big',
    slash: 'exact',
    letterCase: 'exact',
    methods: { GET: () => bytes(200, Buffer.from(large), plain) },
  }
  await using server = await openServer({ routes: [...routes, big] })
  const inPieces = t.mock.method(Socket.prototype as unknown as { _writev: () => void }, '_writev')
  const names = ['json', 'html', 'bytes', 'empty', 'no-content', 'cookies']
  await talk(server.port, names.map((name) => request(`GET /${name}`)).join(''))
  assert.equal(inPieces.mock.callCount(), 0)
  const { answers } = await talk(server.port, request('GET /big') + request('GET /html'))
  assert.deepEqual(
    answers.map(({ body }) => body),
    [large, '<p>é'],
  )
  assert.ok(inPieces.mock.callCount() > 0)
})

test('HEAD has the headers of GET and no body', async () => {
  await using server = await openServer({ routes })
  for (const name of ['json', 'html', 'declared']) {
    const got = (await talk(server.port, request(`GET /${name}`))).answers[0]
    const asked = await talk(server.port, request(`HEAD /${name}`), 40, true)
    const without = (headers: ReadonlyMap<string, string> | undefined) =>
      [...(headers ?? [])].filter(([header]) => header !== 'date')
    assert.deepEqual(without(asked.answers[0]?.headers), without(got?.headers))
    assert.ok(asked.raw.endsWith('\r\n\r\n'))
  }
})

test('204 has neither body nor length', async () => {
  await using server = await openServer({ routes })
  const [answer] = (await talk(server.port, request('GET /no-content'))).answers
  assert.equal(answer?.status, 204)
  assert.equal(answer.headers.has('content-length'), false)
})

test("a list of values is a line each, and a reply outdoes the server's own header", async () => {
  await using server = await openServer({ routes })
  const [answer] = (await talk(server.port, request('GET /cookies'))).answers
  assert.equal(answer?.headers.get('set-cookie'), 'a=1, b=2')
  assert.equal(answer.headers.get('x-content-type-options'), 'other')
})

test('a stream without a length comes in chunks; one that breaks its word is cut', async () => {
  await using server = await openServer({ routes })
  const whole = await talk(server.port, request('GET /undeclared'))
  assert.match(whole.raw, /transfer-encoding: chunked[\s\S]*2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n$/i)
  const cut = await talk(server.port, request('GET /short'), longMs)
  assert.equal(cut.closed, true)
  assert.deepEqual(
    server.lines.map(({ event }) => event),
    ['answer broken off'],
  )
})

test("a reply that can't be written is a 500", async () => {
  await using server = await openServer({ routes })
  const [answer] = (await talk(server.port, request('GET /bad-name'))).answers
  assert.equal(answer?.status, 500)
})

test('each answer is told once, with its bytes', async () => {
  await using server = await openServer({ routes })
  await talk(server.port, request('GET /json') + request('GET /declared'))
  assert.deepEqual(
    server.answers.map(({ status, bytes, path }) => [status, bytes, path]),
    [
      [201, 16, '/json'],
      [200, 4, '/declared'],
    ],
  )
})

test('events go out unbuffered, each on its own, with comments between', async () => {
  async function* two() {
    yield { event: 'a\nb', data: 'one\ntwo', id: '1' }
    await new Promise((resolve) => setTimeout(resolve, 150))
    yield { data: 'end' }
  }
  await using server = await openServer({
    routes: [{ path: '/events', slash: 'exact', letterCase: 'exact', methods: { GET: () => events(two()) } }],
    limits: { eventCommentSeconds: 0.1 },
  })
  const { raw } = await talk(server.port, request('GET /events'), 300)
  assert.match(raw, /content-type: text\/event-stream/)
  assert.match(raw, /x-accel-buffering: no/)
  assert.match(raw, /cache-control: no-store/)
  assert.match(raw, /event: ab\nid: 1\ndata: one\ndata: two\n\n[\s\S]*:\n\n[\s\S]*data: end\n\n/)
})

test('no event data ends an event early', () =>
  fc.assert(
    fc.property(fc.string(), (data) => {
      const lines = eventText({ data }).split('\n')
      assert.deepEqual(lines.splice(-2), ['', ''])
      assert.ok(lines.every((line) => line.startsWith('data: ') && !line.includes('\r')))
    }),
  ))

test('a header value is printable ASCII, whatever went in', () =>
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (value) => {
      assert.match(headerValue(value), /^[\t\x20-\x7e]*$/)
      assert.match(headerUrl(value), /^[\x21-\x7e]*$/)
    }),
  ))

const asks = (headers: Readonly<Record<string, string>>, method = 'GET') => ({ method, header: (name: string) => headers[name] })
for (const [rule, headers, is] of [
  ['the same tag', { 'if-none-match': '"a"' }, true],
  ['a weak one of it', { 'if-none-match': 'W/"a"' }, true],
  ['one of several', { 'if-none-match': '"b", "a,c", "a"' }, true],
  ['any', { 'if-none-match': '*' }, true],
  ['another', { 'if-none-match': '"b"' }, false],
  ['another tag outdoes a fitting date', { 'if-none-match': '"b"', 'if-modified-since': 'Sat, 21 Nov 2026 00:00:00 GMT' }, false],
  ['a fitting date', { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:01 GMT' }, true],
  ['an earlier date', { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, false],
  ['no date', { 'if-modified-since': 'yesterday' }, false],
  ['nothing', {}, false],
] as const) {
  test(`not modified: ${rule}`, () => {
    assert.equal(notModified(asks(headers), '"a"', 1999), is)
    assert.equal(notModified(asks(headers, 'POST'), '"a"', 1999), false)
  })
}

test('a 304 says nothing of the body, and a tag is of the bytes', () => {
  assert.deepEqual(notModifiedReply({ etag: '"a"', vary: 'accept', 'content-type': 'x' }).headers, {
    etag: '"a"',
    vary: 'accept',
  })
  assert.equal(etagOf('a'), etagOf(Buffer.from('a')))
  assert.notEqual(etagOf('a'), etagOf('b'))
})
