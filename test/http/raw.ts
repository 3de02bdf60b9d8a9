// A server on a free port and a client that speaks bytes: what the HTTP tests stand on.

import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FailureAbout } from '../../src/http/server.ts'
import { HttpFailure } from '../../src/http/failure.ts'
import { defaultLimits } from '../../src/http/limits.ts'
import type { Limits } from '../../src/http/limits.ts'
import type { HostPolicy } from '../../src/http/origin.ts'
import { json, text } from '../../src/http/reply.ts'
import type { Headers } from '../../src/http/reply.ts'
import type { Handler, Route } from '../../src/http/route.ts'
import { createRouter } from '../../src/http/router.ts'
import { createHttpServer } from '../../src/http/server.ts'
import type { AnswerRecord } from '../../src/http/exchange.ts'

export const policy: HostPolicy = {
  ownHosts: undefined,
  trustedProxies: ['loopback'],
  forwardedProto: 'trusted',
  forwardedFor: 'trusted',
  listening: '127.0.0.1',
}

const page: Handler = (request) => text(200, `page ${request.path}`)

/** Tells what the server made of a request. */
export const tell: Handler = async (request) => {
  const body = await request.readBody(1024)
  return json(200, {
    method: request.method,
    path: request.path,
    query: Object.fromEntries(request.query),
    client: request.client,
    scheme: request.scheme,
    host: request.host,
    ownHost: request.ownHost,
    forwarded: request.forwarded,
    authorization: request.header('authorization') ?? null,
    body: Buffer.from(body).toString(),
  })
}

/** The same once all that came in one packet has been taken off the wire: doors ask who is calling before they read. */
const tellLater: Handler = async (request, params) => {
  await nextTurn()
  return tell(request, params)
}

const routes: readonly Route[] = [
  { path: '/tell/', slash: 'either', letterCase: 'any', door: 'mcp', methods: { GET: tell, POST: tell } },
  { path: '/later/', slash: 'exact', letterCase: 'exact', methods: { POST: tellLater } },
  {
    path: '/moved/',
    slash: 'redirect',
    letterCase: 'exact',
    methods: { GET: page },
    redirectHeaders: { 'x-redirect-by': 'Test' },
  },
  { path: '/refuses', slash: 'exact', letterCase: 'exact', methods: { POST: () => json(401, { error: 'no' }) } },
]

export interface OpenOptions {
  readonly routes?: readonly Route[]
  readonly limits?: Partial<Limits>
  readonly hosts?: Partial<HostPolicy>
  readonly basePath?: string
  readonly serverHeaders?: Headers
}

/** A running server; `lines` are the log's, `answers` the access log's. Taken down at the end of its block. */
export async function openServer(options: OpenOptions = {}) {
  const lines: { level: string; event: string; fields: Readonly<Record<string, unknown>> }[] = []
  const answers: AnswerRecord[] = []
  const write =
    (level: string) =>
    (event: string, fields: Readonly<Record<string, unknown>> = {}) =>
      void lines.push({ level, event, fields })
  const server = createHttpServer({
    router: createRouter([...(options.routes ?? []), ...routes], { door: 'site', methods: { GET: () => text(404, 'no page') } }),
    limits: { ...defaultLimits, ...options.limits },
    hosts: { ...policy, ...options.hosts },
    ...(options.basePath === undefined ? {} : { basePath: options.basePath }),
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    onFailure: (failure: HttpFailure | Error, { path, door }: FailureAbout) =>
      failure instanceof HttpFailure
        ? json(failure.status, { code: failure.code, message: failure.message, door, path })
        : json(500, { code: 'failed', door, path }),
    serverHeaders: options.serverHeaders ?? { 'x-content-type-options': 'nosniff' },
    onAnswer: (record) => void answers.push(record),
  })
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 })
  return { port, lines, answers, server, [Symbol.asyncDispose]: () => server.close(200) }
}

export interface Answer {
  readonly status: number
  /** Lower-case names; of doubled ones the values joined by a comma. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  json(): Record<string, unknown>
}

export interface Talk {
  readonly answers: readonly Answer[]
  readonly raw: string
  /** Whether the server ended the connection. */
  readonly closed: boolean
}

/** For those who wait for the connection's end, which comes. */
export const longMs = 20_000

/** How often it is looked whether something has come before it counts as quiet. */
const looks = 4

/** Sends bytes and gathers what comes until the connection ends, or nothing more has come for `quietMs`. */
export function talk(port: number, bytes: string | Uint8Array, quietMs = 40, head = false): Promise<Talk> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket: Socket = connect(
      port,
      '127.0.0.1',
      () => void socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    )
    // Counted in looks, as a process that gets no processor for a while has had time pass, and nothing read.
    const stepMs = quietMs / looks
    let left = Math.ceil((2000 + quietMs) / stepMs)
    const timer = setInterval(() => --left < 0 && end(false), stepMs)
    const end = (closed: boolean): void => {
      clearInterval(timer)
      socket.destroy()
      const raw = Buffer.concat(chunks).toString('latin1')
      resolve({ raw, closed, answers: parseAnswers(raw, head) })
    }
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      left = looks
    })
    socket.on('close', () => end(true))
    socket.on('end', () => end(true))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? end(true) : reject(error),
    )
  })
}

/** The answers in a stream of bytes; a `100 Continue` is one. */
function parseAnswers(raw: string, head: boolean): Answer[] {
  const answers: Answer[] = []
  let rest = raw
  while (rest.startsWith('HTTP/1.1 ') && rest.includes('\r\n\r\n')) {
    const end = rest.indexOf('\r\n\r\n')
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = new Map<string, string>()
    for (const line of lines) {
      const name = line.slice(0, line.indexOf(':')).toLowerCase()
      const value = line.slice(line.indexOf(':') + 1).trim()
      headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value)
    }
    const status = Number(statusLine.split(' ')[1])
    const length =
      head || status === 100 || status === 204 || status === 304 ? 0 : Number(headers.get('content-length') ?? rest.length)
    const body = Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString()
    answers.push({ status, headers, body, json: () => JSON.parse(body) as Record<string, unknown> })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}

/** An ordinary request as bytes. */
export function request(line: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const all = { host: 'localhost', ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }), ...headers }
  return `${line} HTTP/1.1\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
