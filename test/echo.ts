// A service that tells what arrived: it stands behind a web server in place of the site, where the web server is what is tested.

import { createHash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request as it came, and what the echo answers with as JSON. */
export interface Arrived {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: number
  readonly sha256: string
}

export interface Echo extends AsyncDisposable {
  readonly port: number
  readonly arrived: readonly Arrived[]
  /** Lets a stream of events go on: with its second event, then to its end. */
  release(): void
}

/**
 * Listens on a free port of loopback. `x-answer-status` asks for a status with a body of the echo's own, `x-answer-location` for a
 * `Location`, `x-answer: events` for a stream of two events that waits for `release` after each.
 */
export async function openEcho(): Promise<Echo> {
  const arrived: Arrived[] = []
  const gate = new EventEmitter()
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
    void answer(request, response, arrived, gate)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    arrived,
    release: () => void gate.emit('release'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, arrived: Arrived[], gate: EventEmitter): Promise<void> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    hash.update(part)
  }
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const seen = { method: request.method ?? '', target: request.url ?? '', headers, bytes, sha256: hash.digest('hex') }
  arrived.push(seen)
  if (headers['x-answer'] === 'events') return events(response, gate)
  const status = Number(headers['x-answer-status'] ?? 200)
  const location = headers['x-answer-location']
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(status === 503 ? { 'retry-after': '7' } : {}),
    ...(location === undefined ? {} : { location }),
  })
  response.end(JSON.stringify(status === 200 ? seen : { own: status }))
}

async function events(response: ServerResponse, gate: EventEmitter): Promise<void> {
  // Not in chunks: a whole chunk passes a proxy's buffer at once, and would hide that there is one.
  response.useChunkedEncodingByDefault = false
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', connection: 'close' })
  response.write('data: first\n\n')
  await once(gate, 'release')
  response.write('data: second\n\n')
  await once(gate, 'release')
  response.end()
}
