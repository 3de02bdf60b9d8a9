// Bodies as streams: within their limits, with backpressure, and the connection fit for the next request.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { json } from '../../src/http/reply.ts'
import type { Handler, Route } from '../../src/http/route.ts'
import { until } from '../until.ts'
import { longMs, openServer, request, talk } from './raw.ts'

const limits = { maxBytes: 1000, seconds: 60, pace: { bytes: 1, seconds: 60 } }
const route = (handler: Handler): Route => ({ path: '/in', slash: 'exact', letterCase: 'exact', methods: { POST: handler } })

const count =
  (more: Partial<typeof limits> = {}): Handler =>
  async (asked) => {
    let bytes = 0
    for await (const part of asked.streamBody({ ...limits, ...more })) bytes += part.length
    return json(200, { bytes })
  }

const post = (body: string, headers: Record<string, string> = { 'content-length': String(body.length) }): string =>
  request('POST /in', headers) + body

/** The last request of a connection. */
const postLast = (body: string, headers: Record<string, string> = { 'content-length': String(body.length) }): string =>
  post(body, { ...headers, connection: 'close' })

test('a body arrives in pieces, and the next request of its connection is answered', async () => {
  await using server = await openServer({ routes: [route(count())] })
  const { answers } = await talk(server.port, post('x'.repeat(1000)) + postLast('yy'), longMs)
  assert.deepEqual(
    answers.map((one) => one.json()['bytes']),
    [1000, 2],
  )
})

test('a body without bytes is an empty stream', async () => {
  await using server = await openServer({ routes: [route(count())] })
  const { answers } = await talk(server.port, postLast('', {}), longMs)
  assert.deepEqual(
    answers.map((one) => one.json()['bytes']),
    [0],
  )
})

test('a body over the limit is refused: at once where its length is announced, else when it is passed', async () => {
  await using server = await openServer({ routes: [route(count())] })
  const announced = await talk(server.port, post('', { 'content-length': '1001' }), longMs)
  assert.equal(announced.answers[0]?.status, 413)
  const chunk = `400\r\n${'x'.repeat(1024)}\r\n`
  const passed = await talk(server.port, post(`${chunk}0\r\n\r\n`, { 'transfer-encoding': 'chunked' }), longMs)
  assert.equal(passed.answers[0]?.status, 413)
})

test('attack 124: a body that does not arrive, or arrives too slowly, is 408', async () => {
  const quick = { checkSeconds: 0.05, drainSeconds: 0.2 }
  for (const more of [{ seconds: 0.2 }, { pace: { bytes: 10, seconds: 0.2 } }]) {
    await using server = await openServer({ routes: [route(count(more))], limits: quick })
    const talked = await talk(server.port, post('x', { 'content-length': '100' }), longMs)
    assert.equal(talked.answers[0]?.status, 408)
    assert.equal(talked.closed, true)
  }
})

test('a handler that stops reading answers, and what is left of the body is no request', async () => {
  const peek: Handler = async (asked) => {
    for await (const part of asked.streamBody(limits)) return json(200, { first: part.length > 0 })
    return json(200, {})
  }
  await using server = await openServer({ routes: [route(peek)] })
  const { answers } = await talk(server.port, postLast(`GET /in HTTP/1.1\r\n\r\n${'x'.repeat(900)}`), longMs)
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200],
  )
})

test('a slow reader holds the sender back instead of gathering what it sends', async () => {
  let go = (): void => undefined
  const gate = new Promise<void>((resolve) => (go = resolve))
  let bytes = 0
  const slow: Handler = async (asked) => {
    for await (const part of asked.streamBody({ ...limits, maxBytes: 64 * 1024 ** 2 })) {
      bytes += part.length
      await gate
    }
    return json(200, { bytes })
  }
  await using server = await openServer({ routes: [route(slow)] })
  const size = 32 * 1024 ** 2
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(post('', { 'content-length': String(size) }))
  socket.write(Buffer.alloc(size))
  await until('something arrived', () => bytes > 0)
  await sleep(200)
  // What lies in the kernel's buffers and node's has left this side; the rest waits here.
  assert(socket.writableLength > size / 2, `only ${socket.writableLength} bytes wait`)
  go()
  const [answer] = (await once(socket, 'data')) as [Buffer]
  assert.match(answer.toString(), new RegExp(`"bytes":${size}`))
  socket.destroy()
})

test('what was read of a body is let go before its end, so that a gigabyte needs no memory', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const parts: WeakRef<Uint8Array>[] = []
  const left = () => parts.filter((part) => part.deref() !== undefined).length
  let most = 0
  const read: Handler = async (asked) => {
    for await (const part of asked.streamBody({ ...limits, maxBytes: 64 * 1024 ** 2 })) {
      parts.push(new WeakRef(part))
      if (parts.length % 50 !== 0) continue
      // A weak reference holds its target until the end of the turn.
      await sleep(1)
      collect()
      most = Math.max(most, left())
    }
    return json(200, {})
  }
  await using server = await openServer({ routes: [route(read)] })
  const { answers } = await talk(server.port, postLast('x'.repeat(16 * 1024 ** 2)), longMs)
  assert.equal(answers[0]?.status, 200)
  assert.ok(parts.length > 100, `${parts.length} parts came`)
  assert.ok(most < 30, `${most} of ${parts.length} parts were in memory at once`)
})

test('a client that leaves in the middle ends the stream', async () => {
  let failure: unknown
  const keep: Handler = async (asked) => {
    try {
      return await count()(asked, {})
    } catch (error) {
      failure = error
      throw error
    }
  }
  await using server = await openServer({ routes: [route(keep)] })
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(post('x', { 'content-length': '100' }))
  await sleep(50)
  socket.destroy()
  await until('the stream ended', () => failure !== undefined)
  assert.equal((failure as { code?: string }).code, 'client_left')
})
