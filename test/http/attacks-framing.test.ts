// Attacks 1 to 14 of the HTTP core, as bytes on a socket. After each: one answer, and the next honest request is served.

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { json, redirect, text } from '../../src/http/reply.ts'
import type { Handler } from '../../src/http/route.ts'
import { longMs, openServer, pause, request, talk } from './raw.ts'
import { until } from '../until.ts'

interface Row {
  readonly rule: string
  readonly send: string
  readonly status: number
  readonly closed?: boolean
  /** Answers that may come at all; one unless said. */
  readonly answers?: number
  readonly holds?: RegExp
}

const head = (...lines: string[]): string => `${lines.join('\r\n')}\r\n\r\n`
const post = (...lines: string[]): string => head('POST /tell/ HTTP/1.1', 'Host: localhost', ...lines)
const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n'
const chunked = `2\r\n{}\r\n0\r\n\r\n`

const rows: readonly Row[] = [
  {
    rule: 'attack 1: Content-Length with Transfer-Encoding is refused',
    send: post('Content-Length: 6', 'Transfer-Encoding: chunked') + chunked + smuggled,
    status: 400,
    closed: true,
  },
  {
    rule: 'attack 1: two lengths are refused',
    send: `${post('Content-Length: 2', 'Content-Length: 7')}{}${smuggled}`,
    status: 400,
    closed: true,
  },
  {
    rule: 'attack 1: a list of lengths is refused',
    send: `${post('Content-Length: 2, 2')}{}${smuggled}`,
    status: 400,
    closed: true,
  },
  {
    rule: 'attack 1: a length with a sign is refused',
    send: `${post('Content-Length: +2')}{}${smuggled}`,
    status: 400,
    closed: true,
  },
  {
    rule: 'attack 1: chunked must come last and alone',
    send: post('Transfer-Encoding: chunked, identity') + chunked + smuggled,
    status: 400,
    closed: true,
  },
  {
    rule: 'attack 1: another coding is refused',
    send: post('Transfer-Encoding: gzip, chunked') + chunked + smuggled,
    status: 400,
    closed: true,
  },
  {
    rule: 'attack 1: two Transfer-Encodings are refused',
    send: post('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked') + chunked + smuggled,
    status: 400,
    closed: true,
  },
  {
    rule: 'attack 1: a space before the colon is refused',
    send: post('Transfer-Encoding : chunked') + chunked + smuggled,
    status: 400,
    closed: true,
  },
  {
    rule: 'attack 1: bare LF ends no header line',
    send: 'POST /tell/ HTTP/1.1\nHost: localhost\nContent-Length: 2\n\n{}',
    status: 400,
    closed: true,
  },
  {
    rule: 'attack 1: bare CR ends no header line',
    send: 'GET /tell/ HTTP/1.1\r\nHost: localhost\rX: y\r\n\r\n',
    status: 400,
    closed: true,
  },
  {
    rule: 'attack 1: a folded header is refused',
    send: 'GET /tell/ HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n',
    status: 400,
    closed: true,
  },
  {
    rule: 'attack 2: HTTP/1.0 with chunks is refused',
    send: head('POST /tell/ HTTP/1.0', 'Host: localhost', 'Transfer-Encoding: chunked') + chunked + smuggled,
    status: 400,
    closed: true,
  },
  { rule: 'attack 3: two Hosts are refused', send: head('GET /tell/ HTTP/1.1', 'Host: localhost', 'Host: evil'), status: 400 },
  {
    rule: 'attack 3: two Authorizations are refused',
    send: head('GET /tell/ HTTP/1.1', 'Host: localhost', 'Authorization: Bearer a', 'authorization: Bearer b'),
    status: 400,
  },
  { rule: 'attack 3: no Host is refused', send: head('GET /tell/ HTTP/1.1'), status: 400 },
  { rule: 'attack 3: no Host is refused over HTTP/1.0', send: head('GET /tell/ HTTP/1.0'), status: 400 },
  { rule: 'attack 3: an empty Host is refused', send: head('GET /tell/ HTTP/1.1', 'Host:'), status: 400 },
  { rule: 'attack 3: a Host with a path is refused', send: head('GET /tell/ HTTP/1.1', 'Host: a/b?x=@c'), status: 400 },
  { rule: 'attack 3: a Host with a quote is refused', send: head('GET /tell/ HTTP/1.1', 'Host: a"b'), status: 400 },
  { rule: 'attack 3: a Host with a semicolon is refused', send: head('GET /tell/ HTTP/1.1', 'Host: x;sandbox'), status: 400 },
  {
    rule: 'attack 4: 1,100 headers are too many',
    send: head('GET /tell/ HTTP/1.1', 'Host: localhost', ...Array.from({ length: 1100 }, () => 'a:b'), 'Authorization: Bearer x'),
    status: 431,
  },
  {
    rule: 'attack 4: 201 headers are too many',
    send: head('GET /tell/ HTTP/1.1', 'Host: localhost', ...Array.from({ length: 200 }, () => 'a:b')),
    status: 431,
  },
  {
    rule: 'attack 4: 200 headers are taken, the last of them seen',
    send: head(
      'GET /tell/ HTTP/1.1',
      'Host: localhost',
      ...Array.from({ length: 198 }, () => 'a:b'),
      'Authorization: Bearer last',
    ),
    status: 200,
    holds: /Bearer last/,
  },
  {
    rule: "attack 4: headers over 16 KiB are told in the door's form",
    send: head('POST /tell/ HTTP/1.1', 'Host: localhost', `X: ${'a'.repeat(17 * 1024)}`),
    status: 431,
    closed: true,
    holds: /"headers_too_large".*"path":"\/tell\/"/,
  },
  {
    rule: 'attack 5: a header named __proto__ is a header',
    send: head('GET /tell/ HTTP/1.1', 'Host: localhost', '__proto__: x', 'constructor: y', 'toString: z'),
    status: 200,
  },
  {
    rule: 'attack 6: an absolute target is routed by its path and held to its own host',
    send: head('GET http://localhost/tell/?a=1 HTTP/1.1', 'Host: localhost'),
    status: 200,
    holds: /"path":"\/tell\/","query":\{"a":"1"\}/,
  },
  {
    rule: 'attack 6: an absolute target with a foreign host is 421',
    send: head('GET http://evil/tell/ HTTP/1.1', 'Host: localhost'),
    status: 421,
  },
  {
    rule: 'attack 6: an absolute target with a user is refused',
    send: head('GET http://localhost@evil/tell/ HTTP/1.1', 'Host: localhost'),
    status: 400,
  },
  { rule: 'attack 6: two slashes name no host', send: head('GET //evil/tell/ HTTP/1.1', 'Host: localhost'), status: 404 },
  { rule: 'attack 6: OPTIONS * is answered without a route', send: head('OPTIONS * HTTP/1.1', 'Host: localhost'), status: 204 },
  {
    rule: 'attack 6: CONNECT is refused',
    send: head('CONNECT localhost:80 HTTP/1.1', 'Host: localhost'),
    status: 405,
    closed: true,
  },
  { rule: 'attack 7: TRACE is refused', send: head('TRACE /tell/ HTTP/1.1', 'Host: localhost'), status: 405 },
  { rule: 'attack 7: PROPFIND is refused', send: head('PROPFIND /tell/ HTTP/1.1', 'Host: localhost'), status: 405 },
  {
    rule: 'attack 7: a method override is ignored',
    send: head('GET /tell/?_method=DELETE HTTP/1.1', 'Host: localhost', 'X-HTTP-Method-Override: DELETE'),
    status: 200,
    holds: /"method":"GET"/,
  },
  { rule: 'attack 8: %00 is refused', send: request('GET /tell/%00'), status: 400 },
  { rule: 'attack 8: %ff is refused', send: request('GET /%ff'), status: 400 },
  { rule: 'attack 8: half an escape is refused', send: request('GET /%f'), status: 400 },
  { rule: 'attack 8: encoded dot segments lead nowhere', send: request('GET /x/%2e%2e%2ftell/'), status: 404 },
  { rule: 'attack 8: dot segments lead nowhere', send: request('GET /x/../tell/'), status: 404 },
  { rule: 'attack 8: backslashes are no slashes', send: request('GET /x/..%5ctell/'), status: 404 },
  { rule: 'attack 8: a path parameter is part of the path', send: request('GET /tell;a'), status: 404 },
  { rule: 'attack 8: nothing is decoded twice', send: request('GET /%2574ell/'), status: 404 },
  { rule: 'attack 8: an escape of an ordinary letter is that letter', send: request('GET /%74ell/'), status: 200 },
  { rule: 'attack 9: a refused body holds no request', send: request('POST /refuses', {}, smuggled), status: 401 },
  { rule: 'attack 9: a body to a wrong method holds no request', send: request('PUT /tell/', {}, smuggled), status: 405 },
  {
    rule: 'attack 9: a body to a wrong host holds no request',
    send: request('POST /tell/', { host: 'evil' }, smuggled),
    status: 421,
    closed: true,
  },
  {
    rule: 'attack 10: an awaited body over the limit gets 413 and no 100',
    send: request('POST /tell/', { expect: '100-continue', 'content-length': '4096' }),
    status: 413,
    closed: true,
  },
  { rule: 'attack 10: an unknown expectation is 417', send: request('GET /tell/', { expect: 'the-unexpected' }), status: 417 },
  {
    rule: 'attack 11: chunk extensions over 16 KiB are 413',
    send: `${post('Transfer-Encoding: chunked')}2;${'a'.repeat(17 * 1024)}\r\n{}\r\n0\r\n\r\n`,
    status: 413,
    closed: true,
  },
  {
    rule: 'attack 11: a trailer is no header',
    send: `${post('Transfer-Encoding: chunked', 'Trailer: Authorization')}2\r\n{}\r\n0\r\nAuthorization: Bearer evil\r\n\r\n`,
    status: 200,
    holds: /"authorization":null/,
  },
  { rule: 'a body over the limit is 413', send: request('POST /tell/', {}, 'x'.repeat(2000)), status: 413 },
  {
    rule: 'a chunked body over the limit is 413',
    send: `${post('Transfer-Encoding: chunked')}7d0\r\n${'x'.repeat(2000)}\r\n0\r\n\r\n`,
    status: 413,
  },
  {
    rule: 'a body that has arrived before it is asked for is whole, and what follows is the next request',
    send: `${request('POST /later/', {}, 'first')}${request('POST /later/', {}, 'second')}`,
    status: 200,
    answers: 2,
    holds: /"body":"first".*"body":"second"/s,
  },
  {
    rule: 'chunks that have arrived before they are asked for are one body',
    send: `${request('POST /later/', { 'transfer-encoding': 'chunked' })}3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n`,
    status: 200,
    holds: /"body":"onetwo"/,
  },
  {
    rule: 'a chunked body over the limit that has arrived before it is asked for is 413, and the connection stays',
    send: `${request('POST /later/', { 'transfer-encoding': 'chunked' })}7d0\r\n${'x'.repeat(2000)}\r\n0\r\n\r\n${request('GET /tell/')}`,
    status: 413,
    answers: 2,
  },
  { rule: 'a fragment in a target is refused', send: request('GET /tell/#a'), status: 400 },
  { rule: 'raw UTF-8 in a path is refused', send: Buffer.from(request('GET /é')).toString('latin1'), status: 400 },
  { rule: 'what is no HTTP is refused', send: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', status: 400, closed: true },
]

for (const { rule, send, status, closed, answers = 1, holds } of rows) {
  test(rule, async () => {
    await using server = await openServer()
    const talked = await talk(server.port, send, closed ? longMs : undefined)
    const statuses = talked.answers.map((answer) => answer.status)
    assert.equal(statuses.length, answers, talked.raw)
    assert.equal(statuses[0], status, talked.raw)
    if (closed !== undefined) assert.equal(talked.closed, closed, 'connection')
    if (holds) assert.match(talked.raw, holds)
    assert.doesNotMatch(talked.raw, /smuggled/)
    if (statuses[0] !== 204) assert.equal(talked.answers[0]?.headers.get('x-content-type-options'), 'nosniff')
    const next = await talk(server.port, request('GET /tell/'))
    assert.equal(next.answers[0]?.status, 200)
    assert.deepEqual(
      server.lines.filter(({ level }) => level === 'error'),
      [],
    )
  })
}

test('attack 9: a refused body over the cap is answered, and the connection cut', async () => {
  await using server = await openServer({ limits: { drainBytes: 1000, lingerBytes: 1000 } })
  const talked = await talk(server.port, request('POST /refuses', {}, 'x'.repeat(5000)) + smuggled, longMs)
  assert.deepEqual(
    talked.answers.map(({ status }) => status),
    [401],
  )
  assert.equal(talked.closed, true)
  assert.equal(talked.answers[0]?.headers.get('connection'), 'close')
})

test('attack 9: a sender that goes on with a refused body, as a proxy does, gets the answer before the connection is closed', async () => {
  await using server = await openServer({ limits: { drainBytes: 1000 } })
  const talked = await talk(server.port, request('POST /refuses', {}, 'x'.repeat(8 * 1024 ** 2)) + smuggled, longMs)
  assert.deepEqual(
    talked.answers.map(({ status }) => status),
    [401],
  )
  assert.equal(talked.closed, true)
  assert.equal(talked.answers[0]?.headers.get('connection'), 'close')
})

test('attack 9: a refused body below the cap keeps the connection, and the next request is itself', async () => {
  await using server = await openServer()
  const talked = await talk(server.port, request('POST /refuses', {}, smuggled) + request('GET /tell/?next'))
  assert.deepEqual(
    talked.answers.map(({ status }) => status),
    [401, 200],
  )
})

test('attack 10: an awaited body within the limit is asked for', async () => {
  await using server = await openServer()
  const talked = await talk(server.port, request('POST /tell/', { expect: '100-continue', 'content-length': '2' }) + '{}')
  assert.deepEqual(
    talked.answers.map(({ status }) => status),
    [100, 200],
  )
})

test('attack 12: CR, LF, NUL and U+0100 in a header are percent-encoded', async () => {
  const hostile = 'a\r\nset-cookie: evil=1\0\u0100\ud800é'
  await using server = await openServer({
    routes: [
      { path: '/redirect', slash: 'exact', letterCase: 'exact', methods: { GET: () => redirect(302, `/x?${hostile} y`) } },
      {
        path: '/header',
        slash: 'exact',
        letterCase: 'exact',
        methods: { GET: () => text(200, 'ok', { 'content-disposition': `attachment; filename="${hostile}"` }) },
      },
    ],
  })
  const redirected = (await talk(server.port, request('GET /redirect'))).answers[0]
  assert.equal(redirected?.headers.get('location'), '/x?a%0D%0Aset-cookie:%20evil=1%00%C4%80%EF%BF%BD%C3%A9%20y')
  assert.equal(redirected?.headers.has('set-cookie'), false)
  const named = (await talk(server.port, request('GET /header'))).answers[0]
  assert.equal(
    named?.headers.get('content-disposition'),
    'attachment; filename="a%0D%0Aset-cookie: evil=1%00%C4%80%EF%BF%BD%C3%A9"',
  )
  assert.equal(named?.body, 'ok')
})

test('attack 13: a client that leaves before its answer is one log line', async () => {
  let asked = false
  const slow: Handler = () => {
    asked = true
    return pause(100).then(() => text(200, 'late'))
  }
  await using server = await openServer({
    routes: [{ path: '/slow', slash: 'exact', letterCase: 'exact', methods: { GET: slow } }],
  })
  const socket = connect(server.port, '127.0.0.1', () => socket.write(request('GET /slow')))
  await until('it is asked for', () => asked)
  socket.destroy()
  await until('it is told', () => server.lines.length > 0)
  await pause(120)
  assert.deepEqual(
    server.lines.map(({ event }) => event),
    ['client left before its answer'],
  )
})

test('attack 13: a client that leaves mid-stream ends its source, in one log line', async () => {
  let ended = false
  async function* endless() {
    try {
      for (;;) {
        await pause(5)
        yield Buffer.alloc(1024)
      }
    } finally {
      ended = true
    }
  }
  await using server = await openServer({
    routes: [
      {
        path: '/stream',
        slash: 'exact',
        letterCase: 'exact',
        methods: { GET: () => ({ status: 200, headers: {}, body: { stream: endless() } }) },
      },
    ],
  })
  const socket = connect(server.port, '127.0.0.1', () => socket.write(request('GET /stream')))
  let came = 0
  socket.on('data', ({ length }) => (came += length))
  await until('some of it came', () => came > 2000)
  socket.destroy()
  await until('its source ended', () => ended)
  await until('it is told', () => server.lines.length > 0)
  assert.deepEqual(
    server.lines.map(({ event }) => event),
    ['client left mid-answer'],
  )
})

test('attack 14: a lone surrogate leaves as U+FFFD, with the exact length', async () => {
  await using server = await openServer({
    routes: [
      { path: '/json', slash: 'exact', letterCase: 'exact', methods: { GET: () => json(200, { a: 'x\ud800y' }) } },
      { path: '/text', slash: 'exact', letterCase: 'exact', methods: { GET: () => text(200, 'x\udc00y é') } },
    ],
  })
  const asJson = (await talk(server.port, request('GET /json'))).answers[0]
  assert.deepEqual(asJson?.json(), { a: 'x\ufffdy' })
  assert.equal(asJson?.headers.get('content-length'), String(Buffer.byteLength(asJson?.body ?? '')))
  const asText = (await talk(server.port, request('GET /text'))).answers[0]
  assert.equal(asText?.body, 'x\ufffdy é')
  assert.equal(asText?.headers.get('content-length'), String(Buffer.byteLength('x\ufffdy é')))
})

test('a malformed request behind one that is still being answered gets no answer of its own', async () => {
  await using server = await openServer({
    routes: [
      { path: '/slow', slash: 'exact', letterCase: 'exact', methods: { GET: () => pause(80).then(() => text(200, 'late')) } },
    ],
  })
  const talked = await talk(server.port, `${request('GET /slow')}GARBAGE\r\n\r\n`, longMs)
  assert.deepEqual(
    talked.answers.map(({ status }) => status),
    [],
  )
  assert.equal(talked.closed, true)
})

test('a handler that throws is 500, and the log has it', async () => {
  const fail = (): never => {
    throw new Error('a fault of ours')
  }
  await using server = await openServer({
    routes: [{ path: '/fails', slash: 'exact', letterCase: 'exact', methods: { GET: fail, POST: async () => fail() } }],
  })
  for (const method of ['GET', 'POST']) {
    const [answer] = (await talk(server.port, request(`${method} /fails`))).answers
    assert.equal(answer?.status, 500)
    assert.doesNotMatch(answer?.body ?? '', /fault of ours/)
  }
  assert.deepEqual(
    server.lines.map(({ event }) => event),
    ['request failed', 'request failed'],
  )
})
