// The server: from node's request to ours, from a handler's reply to the wire, and a stop that loses nobody. It knows routes, not doors.

import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Socket } from 'node:net'
import type { Log } from '../log.ts'
import type { AnswerRecord, Exchange } from './exchange.ts'
import { HttpFailure } from './failure.ts'
import { checkHeaderLines } from './header-text.ts'
import type { Limits } from './limits.ts'
import { createOriginDecider } from './origin.ts'
import type { HostPolicy, OriginFacts } from './origin.ts'
import { currentAnswer, failureOfSocket } from './socket-failure.ts'
import { empty } from './reply.ts'
import type { Headers, Reply } from './reply.ts'
import { IncomingRequest, placeOf } from './request.ts'
import type { Reading, Request } from './request.ts'
import type { Router } from './router.ts'
import { createSweep } from './sweep.ts'
import { parseTarget } from './target.ts'
import { createWriter } from './write.ts'
import type { Writer } from './write.ts'

/** What is known of a request that failed; nothing of one that could not be read. `path` is the raw one below the base path. */
export interface FailureAbout {
  readonly request?: Request | undefined
  readonly path?: string | undefined
  readonly door?: string | undefined
}

export interface ServerOptions {
  readonly router: Router
  readonly limits: Limits
  readonly hosts: HostPolicy
  /** `''` or `/blog`; that of `hosts.baseUrl` when left out. */
  readonly basePath?: string
  readonly log: Log
  /** Gives a failure the form of its door. An Error that is no HttpFailure is a fault of ours: 500. */
  readonly onFailure: (failure: HttpFailure | Error, about: FailureAbout) => Reply
  /** On every answer: `x-content-type-options: nosniff` and the like. */
  readonly serverHeaders?: Headers
  readonly onAnswer?: (record: AnswerRecord) => void
}

export interface HttpServer {
  /** Begins to listen; `fd` is a socket that systemd has opened. */
  listen(
    where: { readonly host: string; readonly port: number } | { readonly fd: number },
  ): Promise<{ port: number; address: string }>
  /** Stops without losing anybody: answers what is open, then closes; what isn't done by the deadline is cut. */
  close(deadlineMs?: number): Promise<void>
}

export function createHttpServer(options: ServerOptions): HttpServer {
  const { limits, log } = options
  const sweep = createSweep(limits.checkSeconds)
  /** Open connections, with the requests each has brought. */
  const connections = new Map<Socket, number>()
  let stopping = false
  const writer = createWriter({
    limits,
    log,
    sweep,
    serverHeaders: options.serverHeaders ?? {},
    isStopping: () => stopping,
    onAnswer: options.onAnswer,
  })
  // Node's own limit announces the end and then doesn't end: later requests get an empty 503.
  const isLast = (socket: Socket): boolean => {
    const count = (connections.get(socket) ?? 0) + 1
    connections.set(socket, count)
    return count >= limits.maxRequestsPerSocket
  }
  const serve = createExchangeServer(options, { limits, sweep, awaitsContinue: false }, { writer, isLast })
  const server = createServer(
    {
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: limits.headersSeconds * 1000,
      requestTimeout: Math.max(limits.uploadSeconds, limits.headersSeconds) * 1000,
      keepAliveTimeout: limits.keepAliveSeconds * 1000,
      connectionsCheckingInterval: limits.checkSeconds * 1000,
      insecureHTTPParser: false,
      joinDuplicateHeaders: false,
      requireHostHeader: false,
      noDelay: true,
    },
    (incoming, response) => serve(incoming, response, 'plain'),
  )
  // Zero lifts node's own cap, which drops what is beyond it in silence; the lines are counted in `checkHeaderLines`.
  server.maxHeadersCount = 0
  server.on('checkContinue', (incoming: IncomingMessage, response: ServerResponse) => serve(incoming, response, 'continue'))
  server.on('checkExpectation', (incoming: IncomingMessage, response: ServerResponse) => serve(incoming, response, 'unknown'))
  const refuse = (failure: HttpFailure, socket: Socket, path: string | undefined): void =>
    writer.sendRaw(
      socket,
      failed(options, failure, { path: path === undefined ? undefined : pathBelow(path, basePathOf(options)) }),
    )
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    refuse(
      new HttpFailure('wrong_method', 'CONNECT is not taken: this server is no proxy.', { allow: 'GET, HEAD, POST' }),
      socket,
      incoming.url,
    )
  })
  server.on('clientError', (error: Error, socket: Socket) => {
    const found = failureOfSocket(error, socket)
    if (found) refuse(found.failure, socket, found.path)
    else socket.destroy()
  })
  server.on('timeout', (socket: Socket) => {
    // A stream whose source is quiet waits for us, not for its reader.
    if (socket.writableLength > 0 || currentAnswer(socket) === undefined) socket.destroy()
  })
  server.on('connection', (socket: Socket) => {
    connections.set(socket, 0)
    socket.once('close', () => connections.delete(socket))
  })

  return {
    listen: (where) => {
      sweep.start()
      return listen(server, where)
    },
    async close(deadlineMs = limits.stopMs) {
      stopping = true
      writer.endEvents()
      await stop(server, connections, { idleMs: Math.min(limits.idleStopMs, deadlineMs), deadlineMs })
      sweep.stop()
    },
  }
}

const basePathOf = ({ basePath, hosts }: ServerOptions): string => basePath ?? hosts.baseUrl?.path ?? ''

/** What the exchange needs of the connection's side. */
interface Wire {
  readonly writer: Writer
  /** Counts a request of a connection; whether it is the last one taken. */
  readonly isLast: (socket: Socket) => boolean
}

type Expectation = 'plain' | 'continue' | 'unknown'

/** What happens to each request, in order; the first step that throws decides the answer. */
function createExchangeServer(options: ServerOptions, reading: Reading, { writer, isLast }: Wire) {
  const { router, limits, log } = options
  const basePath = basePathOf(options)
  const originOf = createOriginDecider(options.hosts)
  const afterContinue: Reading = { ...reading, awaitsContinue: true }
  const keepsRecords = options.onAnswer !== undefined

  const fail = (exchange: Exchange, error: unknown): void => {
    const failure = error instanceof Error ? error : new Error(String(error))
    const { request, path } = exchange
    if (failure instanceof HttpFailure && failure.code === 'client_left') log.debug('client left', { path })
    else if (!(failure instanceof HttpFailure)) log.error('request failed', { path, id: request?.id, error: failure })
    // Before the request was understood, where its body ends is in doubt; after a time-out, it never came.
    if (request === undefined || (failure instanceof HttpFailure && failure.code === 'timeout')) exchange.lastOnConnection = true
    writer.send(exchange, failed(options, failure, { request, path, door: exchange.door }))
  }

  const open = (
    exchange: Exchange,
    incoming: IncomingMessage,
    response: ServerResponse,
    expectation: Expectation,
  ): IncomingRequest => {
    const target = incoming.url === '*' && incoming.method === 'OPTIONS' ? serverTarget : parseTarget(incoming.url ?? '')
    const place = placeOf(target, basePath)
    exchange.path = place.rawPath
    exchange.door = router.match({ method: 'GET', ...place, suspicious: target.suspicious }).door
    checkHeaderLines(incoming.rawHeaders, limits.maxHeaders)
    checkFraming(incoming)
    const origin = originOf(factsOf(incoming, target.authority))
    if (expectation === 'unknown') throw new HttpFailure('expectation_failed', 'The only expectation met here is 100-continue.')
    return new IncomingRequest(incoming, response, target, place, origin, expectation === 'continue' ? afterContinue : reading)
  }

  return (incoming: IncomingMessage, response: ServerResponse, expectation: Expectation): void => {
    const exchange: Exchange = {
      incoming,
      response,
      request: undefined,
      path: undefined,
      door: undefined,
      startedMs: keepsRecords ? performance.now() : 0,
      answered: false,
      lastOnConnection: isLast(incoming.socket) || expectation !== 'plain',
    }
    try {
      const request = open(exchange, incoming, response, expectation)
      exchange.request = request
      if (incoming.url === '*') return writer.send(exchange, empty(204, { allow: 'GET, HEAD, POST, OPTIONS' }))
      const { handler, params, door } = router.match(request)
      exchange.door = door
      const reply = handler(request, params)
      if (reply instanceof Promise)
        reply.then((done) => writer.send(exchange, done)).catch((error: unknown) => fail(exchange, error))
      else writer.send(exchange, reply)
    } catch (error) {
      fail(exchange, error)
    }
  }
}

const serverTarget = { authority: undefined, rawPath: '*', path: '*', query: '', suspicious: false }

/** The door's own form of a failure. A mapper that fails itself leaves the barest answer that is still one. */
function failed(options: ServerOptions, failure: Error, about: FailureAbout): Reply {
  try {
    const reply = options.onFailure(failure, about)
    const more = failure instanceof HttpFailure ? failure.headers : undefined
    return more ? { ...reply, headers: { ...more, ...reply.headers } } : reply
  } catch (error) {
    options.log.error('failure could not be told', { path: about.path, error, failure })
    return empty(500)
  }
}

/** RFC 9112 §6: a length or chunks, never both, and chunks only where the sender can know them. Node lets some of it pass (attack 2). */
function checkFraming(incoming: IncomingMessage): void {
  const coding = incoming.headers['transfer-encoding']
  if (coding === undefined) return
  if (incoming.httpVersionMinor === 0)
    throw new HttpFailure('malformed', 'HTTP/1.0 has no Transfer-Encoding; send Content-Length.')
  if (coding.toLowerCase() !== 'chunked') throw new HttpFailure('malformed', 'The only Transfer-Encoding taken is chunked.')
  if (incoming.headers['content-length'] !== undefined)
    throw new HttpFailure('malformed', 'Send Content-Length or Transfer-Encoding, not both.')
}

function factsOf({ headers, socket }: IncomingMessage, authority: string | undefined): OriginFacts {
  const proto: unknown = headers['x-forwarded-proto']
  const forwardedFor: unknown = headers['x-forwarded-for']
  return {
    peer: socket.remoteAddress,
    local: socket.localAddress,
    host: headers.host === undefined ? undefined : (authority ?? headers.host),
    forwardedFor: typeof forwardedFor === 'string' ? forwardedFor : undefined,
    forwardedProto: typeof proto === 'string' ? proto : undefined,
  }
}

function pathBelow(target: string, basePath: string): string | undefined {
  try {
    return placeOf(parseTarget(target), basePath).rawPath
  } catch (error) {
    if (error instanceof HttpFailure) return undefined
    throw error
  }
}

function listen(server: Server, where: { readonly host: string; readonly port: number } | { readonly fd: number }) {
  return new Promise<{ port: number; address: string }>((resolve, reject) => {
    server.once('error', reject)
    server.listen(where, () => {
      server.off('error', reject)
      const bound = server.address()
      resolve(
        bound !== null && typeof bound === 'object'
          ? { port: bound.port, address: bound.address }
          : { port: 0, address: bound ?? '' },
      )
    })
  })
}

/**
 * Stops in the order that loses no request behind a proxy (OPERATIONS.md §3): no more connections, then a while in which idle ones
 * may still bring a request and get `Connection: close` with its answer, then the idle ones, at last the rest.
 */
function stop(
  server: Server,
  sockets: ReadonlyMap<Socket, number>,
  { idleMs, deadlineMs }: { idleMs: number; deadlineMs: number },
): Promise<void> {
  return new Promise((resolve) => {
    const closeIdle = (): void => {
      server.closeIdleConnections()
      // Node counts a connection that never sent anything as busy.
      for (const socket of sockets.keys()) if (socket.bytesRead === 0) socket.destroy()
    }
    const idle = setTimeout(closeIdle, idleMs)
    const last = setTimeout(() => server.closeAllConnections(), deadlineMs)
    NetServer.prototype.close.call(server, () => {
      clearTimeout(idle)
      clearTimeout(last)
      // By now nothing is left to close; this only ends node's own look at time-outs.
      server.close(() => undefined)
      resolve()
    })
  })
}
