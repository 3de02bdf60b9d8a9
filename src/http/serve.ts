// Handles one request from its head to its reply, in steps. `server.ts` owns the sockets, and stops.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { toError } from '../base/error-message.ts'
import type { Log } from '../base/log.ts'
import { type Soon, whenThere } from '../base/soon.ts'
import type { AnswerRecord, Connection, Exchange } from './exchange.ts'
import { HttpFailure } from './failure.ts'
import { type AddressKind, checkFetchMetadata } from './fetch-metadata.ts'
import { checkHeaderLines } from './header-text.ts'
import type { Limits } from './limits.ts'
import { createOriginDecider } from './origin.ts'
import type { HostPolicy, OriginFacts } from './origin.ts'
import { empty, text } from './reply.ts'
import type { Headers, Reply } from './reply.ts'
import { freshId, IncomingRequest, placeOf } from './request.ts'
import type { BodyReading, Request } from './request.ts'
import type { Router } from './router.ts'
import { readTarget } from './target.ts'
import type { Writer } from './write.ts'

/**
 * The known facts about a request that failed; empty if the request could not be parsed. `path` is the raw path below the base
 * path.
 */
export interface FailureAbout {
  readonly request?: Request | undefined
  readonly path?: string | undefined
  readonly door?: string | undefined
  /** The kind of the address, if a route matched. */
  readonly kind?: AddressKind | undefined
  /** The reference of the log line, if the fault is the server's. The answer contains it. */
  readonly reference?: string | undefined
}

export interface ServerOptions {
  readonly router: Router
  readonly limits: Limits
  readonly hosts: HostPolicy
  /** `''` or `/blog`; by default the path of `hosts.baseUrl`. */
  readonly basePath?: string
  readonly log: Log
  /**
   * Answers a failure in the format of its door. An Error that is not a HttpFailure is a fault of the server: it is logged, and the
   * answer is 500.
   */
  readonly onFailure: (failure: HttpFailure | Error, about: FailureAbout) => Soon<Reply>
  /** Headers of every answer, such as `x-content-type-options: nosniff`. */
  readonly serverHeaders?: Headers
  /** May change the reply to a request that was understood. */
  readonly beforeAnswer?: (request: Request, reply: Reply) => Reply
  readonly onAnswer?: (record: AnswerRecord) => void
}

/** `''` or `/blog`. */
export const basePathOf = ({ basePath, hosts }: ServerOptions): string => basePath ?? hosts.baseUrl?.path ?? ''

/** The parts of a connection that an exchange needs. */
export interface Wire {
  readonly writer: Writer
  readonly connectionOf: (socket: Socket) => Connection
}

/** The meaning of an `Expect` header: absent, `100-continue`, or unknown. */
export type Expectation = 'plain' | 'continue' | 'unknown'

/** The steps for each request, in order. The first step that throws decides the answer. */
export function createExchangeServer(options: ServerOptions, reading: BodyReading, { writer, connectionOf }: Wire) {
  const { router, limits, log } = options
  const basePath = basePathOf(options)
  const originOf = createOriginDecider(options.hosts)
  const afterContinue: BodyReading = { ...reading, awaitsContinue: true }
  const keepsRecords = options.onAnswer !== undefined
  const finished = options.beforeAnswer ?? ((_request: Request, reply: Reply) => reply)

  const fail = (exchange: Exchange, error: unknown): void => {
    const failure = toError(error)
    const { request, path, incoming } = exchange
    const isFault = !(failure instanceof HttpFailure)
    const reference = isFault ? (request?.id ?? freshId()) : undefined
    if (isFault) log.error('request failed', { reference, door: exchange.door, method: incoming.method, path, error: failure })
    else if (failure.code === 'client_left') log.debug('client left', { path })
    exchange.timedOut = failure instanceof HttpFailure && failure.code === 'timeout'
    // The end of the request body is uncertain if the request was not understood.
    if (request === undefined || exchange.timedOut) exchange.lastOnConnection = true
    exchange.door ??= path === undefined ? undefined : doorOf(options, path)
    const about = { request, path, door: exchange.door, kind: exchange.kind, reference }
    void whenThere(replyToFailure(options, failure, about), (reply) =>
      writer.send(exchange, request ? finished(request, reply) : reply),
    )
  }

  const deliver = (exchange: Exchange, reply: Reply): void => {
    try {
      writer.send(exchange, exchange.request ? finished(exchange.request, reply) : reply)
    } catch (error) {
      // The reply can't be written, for instance because of an invalid header name. No byte of it was sent.
      if (!exchange.response.headersSent) exchange.answered = false
      fail(exchange, error)
    }
  }

  const open = (
    exchange: Exchange,
    incoming: IncomingMessage,
    response: ServerResponse,
    expectation: Expectation,
  ): IncomingRequest => {
    const target = incoming.url === '*' && incoming.method === 'OPTIONS' ? serverTarget : readTarget(incoming.url ?? '')
    const place = placeOf(target, basePath)
    exchange.path = place.rawPath
    checkHeaderLines(incoming.rawHeaders, limits.maxHeaders)
    checkFraming(incoming)
    const origin = originOf(factsOf(incoming, target.authority))
    if (expectation === 'unknown') throw new HttpFailure('expectation_failed', 'The only expectation met here is 100-continue.')
    return new IncomingRequest(incoming, response, target, place, origin, expectation === 'continue' ? afterContinue : reading)
  }

  return (incoming: IncomingMessage, response: ServerResponse, expectation: Expectation): void => {
    const connection = connectionOf(incoming.socket)
    if (connection.ended) return
    const exchange: Exchange = {
      incoming,
      response,
      connection,
      request: undefined,
      path: undefined,
      door: undefined,
      kind: undefined,
      startedMs: keepsRecords ? performance.now() : 0,
      heldBack: expectation === 'continue',
      answered: false,
      // Node's own limit announces the end without closing the connection: later requests get an empty 503.
      lastOnConnection: ++connection.requests >= limits.maxRequestsPerSocket || expectation !== 'plain',
      timedOut: false,
    }
    try {
      const request = open(exchange, incoming, response, expectation)
      exchange.request = request
      if (incoming.url === '*') return writer.send(exchange, empty(204, { allow: 'GET, HEAD, POST, OPTIONS' }))
      const { handler, params, door, kind } = router.match(request)
      exchange.door = door
      exchange.kind = kind
      checkFetchMetadata(request, kind)
      const reply = handler(request, params)
      if (reply instanceof Promise) {
        reply.then(
          (done) => deliver(exchange, done),
          (error: unknown) => fail(exchange, error),
        )
      } else deliver(exchange, reply)
    } catch (error) {
      fail(exchange, error)
    }
  }
}

const serverTarget = { authority: undefined, rawPath: '*', path: '*', query: '', suspicious: false }

/** The door of a path, for failures before routing. */
function doorOf({ router }: ServerOptions, path: string): string | undefined {
  return router.match({ method: 'GET', path, basePath: '', outside: false, suspicious: false }).door
}

/** Answers a failure in the format of its door. If that fails too, the answer is a bare status. */
export function replyToFailure(options: ServerOptions, failure: Error, about: FailureAbout): Soon<Reply> {
  const more = failure instanceof HttpFailure ? failure.headers : undefined
  const complete = (reply: Reply): Reply => (more ? { ...reply, headers: { ...more, ...reply.headers } } : reply)
  const bare = (error: unknown): Reply => {
    const reference = about.reference ?? freshId()
    options.log.error('failure could not be told', { reference, door: about.door, path: about.path, error, failure })
    return text(500, `Something went wrong on the server; the log has it as ${reference}.\n`)
  }
  try {
    const reply = options.onFailure(failure, about)
    return reply instanceof Promise ? reply.then(complete).catch(bare) : complete(reply)
  } catch (error) {
    return bare(error)
  }
}

/**
 * Checks the framing: a length or chunks, never both, and no chunks with HTTP/1.0. Node accepts some of the forbidden forms
 * (attack 2). @see RFC 9112 §6
 */
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
