// Attack 124 and the stop: slow and silent clients are cut on time, and a server that stops loses nobody. Runs in a process of its own, whose
// timers nobody else delays.

import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { events, stream, text } from '../../src/http/reply.ts'
import type { ServerEvent } from '../../src/http/reply.ts'
import type { Handler, Route } from '../../src/http/route.ts'
import { longMs, openServer, pause, request, talk } from './raw.ts'
import { until } from '../until.ts'

const route = (path: string, handler: Handler): Route => ({
  path,
  slash: 'exact',
  letterCase: 'exact',
  methods: { GET: handler, POST: handler },
})
const quick = { checkSeconds: 0.05, headersSeconds: 0.2, bodySeconds: 0.2, readerSeconds: 0.3, drainSeconds: 0.2 }

/** A promise, and what keeps it. */
function promise(): { readonly kept: Promise<void>; resolve(): void } {
  let resolve = (): void => undefined
  const kept = new Promise<void>((done) => (resolve = done))
  return { kept, resolve }
}

test("attack 124: headers that don't arrive are 408", async () => {
  await using server = await openServer({ limits: quick })
  const talked = await talk(server.port, 'GET /tell/ HTTP/1.1\r\nHost: local', longMs)
  assert.equal(talked.answers[0]?.status, 408)
  assert.equal(talked.closed, true)
})

test("attack 124: a body that doesn't arrive is 408, in the door's form, and the connection ends", async () => {
  await using server = await openServer({ limits: quick })
  const talked = await talk(server.port, `${request('POST /tell/', { 'content-length': '10' })}{`, longMs)
  assert.equal(talked.answers[0]?.status, 408)
  assert.deepEqual([talked.answers[0].json()['code'], talked.answers[0].json()['door']], ['timeout', 'mcp'])
  assert.equal(talked.closed, true)
})

/** Sends a byte now and then, on a connection that only the server closes, and waits until it does. */
async function dribble(port: number, bytes: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.resume()
  // Writing to a connection that the server has closed resets it.
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(bytes)
  const dribbling = setInterval(() => socket.write('x'), 20)
  await closed
  clearInterval(dribbling)
}

/** Limits with which a connection that is read on after its answer outlasts the test. */
const patient = { ...quick, drainSeconds: 3600, refusalMs: 3_600_000 }

for (const [what, sent] of [
  ['a head', 'GET /tell/ HTTP/1.1\r\nHost: local'],
  ['a body', `${request('POST /tell/', { 'content-length': '1000' })}{`],
  ['a chunked body', `${request('POST /tell/', { 'transfer-encoding': 'chunked' })}fff\r\n{`],
  ['a streamed body', `${request('POST /upload', { 'content-length': '100000' })}{`],
]) {
  test(`attack 124: ${what} that comes too slowly is answered 408, and its connection is closed at once, whatever still comes`, async () => {
    const upload: Handler = async (one) => {
      const paced = { maxBytes: 1e6, seconds: 0.2, pace: { bytes: 1, seconds: 60 } }
      for await (const chunk of one.streamBody(paced)) void chunk
      return text(200, 'all of it')
    }
    await using server = await openServer({ limits: patient, routes: [route('/upload', upload)] })
    await dribble(server.port, sent ?? '')
    assert.deepEqual(
      server.answers.map(({ status }) => status),
      [408],
    )
    await until('the server has let go of it', () => server.server.connections === 0)
  })
}

for (const [what, status, sent] of [
  ['a body that is too large', 413, `${request('POST /tell/', { 'content-length': '100000' })}{`],
  ['a body of nobody', 401, `${request('POST /refuses', { 'content-length': '100000' })}{`],
  ['what is no request', 400, 'NONSENSE\r\n\r\n'],
  ['a head that is too large', 431, `GET /tell/ HTTP/1.1\r\nHost: local\r\nX: ${'x'.repeat(20_000)}`],
] as const) {
  test(`attack 124: ${what} is refused with ${status}, read on for a moment, and not for longer`, async () => {
    await using server = await openServer({ limits: { ...quick, headersSeconds: 60, bodySeconds: 60, refusalMs: 200 } })
    await dribble(server.port, sent)
    assert.deepEqual(
      server.answers.map((one) => one.status),
      [status],
    )
    await until('the server has let go of it', () => server.server.connections === 0)
  })
}

test("attack 124: a refused body that doesn't arrive is answered at once and cut later", async () => {
  await using server = await openServer({ limits: quick })
  const talked = await talk(server.port, `${request('POST /refuses', { 'content-length': '10' })}{`, longMs)
  assert.deepEqual(
    talked.answers.map(({ status }) => status),
    [401],
  )
  assert.equal(talked.closed, true)
})

test('attack 124: a socket that says nothing is closed without an answer', async () => {
  await using server = await openServer({ limits: quick })
  const talked = await talk(server.port, '', longMs)
  assert.deepEqual([talked.raw, talked.closed], ['', true])
})

test('attack 124: a keep-alive connection that brings nothing more is closed', async () => {
  await using server = await openServer({ limits: { ...quick, keepAliveSeconds: 0.2 } })
  const talked = await talk(server.port, request('GET /tell/'), longMs)
  assert.equal(talked.answers.length, 1)
  assert.equal(talked.closed, true)
})

for (const kind of ['whole', 'streamed'] as const) {
  test(`attack 124: a reader that takes nothing of a ${kind} answer is cut`, async () => {
    const megabyte = Buffer.alloc(1024 * 1024)
    async function* many() {
      for (let count = 0; count < 40; count++) yield megabyte
    }
    const handler: Handler = () =>
      kind === 'whole'
        ? { status: 200, headers: {}, body: { bytes: Buffer.concat(Array.from({ length: 40 }, () => megabyte)) } }
        : stream(200, many(), {})
    await using server = await openServer({ limits: quick, routes: [route('/big', handler)] })
    const socket = connect(server.port, '127.0.0.1', () => socket.write(request('GET /big')))
    socket.on('error', () => undefined)
    socket.pause()
    await until('the request has arrived', () => server.server.connections === 1)
    await until('the server has cut it', () => server.server.connections === 0)
    // Reading on now finds what the kernel had kept, and then the end.
    const closed = new Promise((resolve) => socket.once('close', resolve))
    let size = 0
    socket.on('data', (chunk) => (size += chunk.length))
    socket.resume()
    await closed
    assert.ok(size < 40 * megabyte.length, `${size} bytes came`)
  })
}

test('a stream whose source is slow is not cut', async () => {
  async function* slow() {
    yield Buffer.from('a')
    await pause(700)
    yield Buffer.from('b')
  }
  await using server = await openServer({
    limits: quick,
    routes: [route('/slow', () => stream(200, slow(), { 'content-length': '2' }))],
  })
  const talked = await talk(server.port, request('GET /slow', { connection: 'close' }), longMs)
  assert.equal(talked.answers[0]?.body, 'ab')
})

test('the last request taken on a connection ends it', async () => {
  await using server = await openServer({ limits: { maxRequestsPerSocket: 3 } })
  const talked = await talk(server.port, request('GET /tell/').repeat(5), longMs)
  assert.deepEqual(
    talked.answers.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.equal(talked.answers[2]?.headers.get('connection'), 'close')
  assert.equal(talked.closed, true)
})

test('a stop answers what is in flight, with Connection: close, and takes nobody new', async () => {
  const [asked, answer] = [promise(), promise()]
  const slow: Handler = async () => {
    asked.resolve()
    await answer.kept
    return text(200, 'done')
  }
  const server = await openServer({ routes: [route('/slow', slow)] })
  const talking = talk(server.port, request('GET /slow'), longMs)
  await asked.kept
  const stopped = server.server.close()
  answer.resolve()
  const talked = await talking
  assert.equal(talked.answers[0]?.body, 'done')
  assert.equal(talked.answers[0].headers.get('connection'), 'close')
  await stopped
  await assert.rejects(talk(server.port, request('GET /tell/')), /ECONNREFUSED/)
})

test('a stop still answers what comes on an idle connection, then closes it', async () => {
  const server = await openServer({ limits: { idleStopMs: longMs } })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = () =>
    new Promise<string | undefined>((resolve, reject) =>
      get({ port: server.port, path: '/tell/', agent, headers: { host: 'localhost' } }, (answer) => {
        answer.resume().on('end', () => resolve(answer.headers.connection))
      }).on('error', reject),
    )
  assert.equal(await ask(), 'keep-alive')
  const stopped = server.server.close(longMs)
  await pause(50)
  assert.equal(await ask(), 'close')
  await stopped
  agent.destroy()
})

test('a stop closes idle and silent connections after the pause', async () => {
  const server = await openServer({ limits: { idleStopMs: 60 } })
  const silent = talk(server.port, '', longMs)
  const idle = talk(server.port, request('GET /tell/'), longMs)
  await until('both are there', () => server.server.connections === 2 && server.answers.length === 1)
  await server.server.close(3 * longMs)
  assert.deepEqual([(await silent).closed, (await idle).closed], [true, true])
})

test('a stop ends event streams at once and cuts the rest at its deadline', async () => {
  let left = false
  let asked = 0
  const quiet: AsyncIterable<ServerEvent> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => undefined),
      return: () => ((left = true), Promise.resolve({ done: true, value: undefined })),
    }),
  }
  const server = await openServer({
    limits: { idleStopMs: 60 },
    routes: [route('/events', () => (asked++, events(quiet))), route('/never', () => (asked++, new Promise(() => undefined)))],
  })
  const listening = talk(server.port, request('GET /events'), longMs)
  const waiting = talk(server.port, request('GET /never'), longMs)
  await until('both are asked for', () => asked === 2)
  const stopped = server.server.close(1000)
  const heard = await listening
  assert.equal(left, true)
  assert.equal(heard.raw.endsWith('0\r\n\r\n'), true)
  await stopped
  assert.equal((await waiting).closed, true)
})
