// One request from its head to its reply, in steps; the first that throws decides the answer. Sockets and the stop are `server.ts`'s.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { toError } from '../error-message.ts'
import type { Log } from '../log.ts'
import type { AnswerRecord, Connection, Exchange } from './exchange.ts'
import { HttpFailure } from './failure.ts'
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

/** What is known of a request that failed; nothing of one that could not be read. `path` is the raw one below the base path. */
export interface FailureAbout {
  readonly request?: Request | undefined
  readonly path?: string | undefined
  readonly door?: string | undefined
  /** Under which the log has a fault of ours: the answer names it. */
  readonly reference?: string | undefined
}

export interface ServerOptions {
  readonly router: Router
  readonly limits: Limits
  readonly hosts: HostPolicy
  /** `''` or `/blog`; that of `hosts.baseUrl` when left out. */
  readonly basePath?: string
  readonly log: Log
  /** Gives a failure the form of its door. An Error that is no HttpFailure is a fault of ours, and in the log: 500. */
  readonly onFailure: (failure: HttpFailure | Error, about: FailureAbout) => Reply
  /** On every answer: `x-content-type-options: nosniff` and the like. */
  readonly serverHeaders?: Headers
  /** A last look at the reply to a request that was understood; most requests get theirs as it is. */
  readonly beforeAnswer?: (request: Request, reply: Reply) => Reply
  readonly onAnswer?: (record: AnswerRecord) => void
}

/** `''` or `/blog`. */
export const basePathOf = ({ basePath, hosts }: ServerOptions): string => basePath ?? hosts.baseUrl?.path ?? ''

/** What the exchange needs of the connection's side. */
export interface Wire {
  readonly writer: Writer
  readonly connectionOf: (socket: Socket) => Connection
}

/** What an `Expect` header asks: nothing, `100-continue`, or something nobody knows. */
export type Expectation = 'plain' | 'continue' | 'unknown'

/** What happens to each request, in order; the first step that throws decides the answer. */
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
    // Before the request was understood, where its body ends is in doubt; after a time-out, it never came.
    if (request === undefined || (failure instanceof HttpFailure && failure.code === 'timeout')) exchange.lastOnConnection = true
    exchange.door ??= path === undefined ? undefined : doorOf(options, path)
    const reply = failed(options, failure, { request, path, door: exchange.door, reference })
    writer.send(exchange, request ? finished(request, reply) : reply)
  }

  const deliver = (exchange: Exchange, reply: Reply): void => {
    try {
      writer.send(exchange, exchange.request ? finished(exchange.request, reply) : reply)
    } catch (error) {
      // A reply that can't be written, such as one with a header name that is none; nothing of it went out.
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
      startedMs: keepsRecords ? performance.now() : 0,
      heldBack: expectation === 'continue',
      answered: false,
      // Node's own limit announces the end and then doesn't end: later requests get an empty 503.
      lastOnConnection: ++connection.requests >= limits.maxRequestsPerSocket || expectation !== 'plain',
    }
    try {
      const request = open(exchange, incoming, response, expectation)
      exchange.request = request
      if (incoming.url === '*') return writer.send(exchange, empty(204, { allow: 'GET, HEAD, POST, OPTIONS' }))
      const { handler, params, door } = router.match(request)
      exchange.door = door
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

/** The door whose path this is, for what fails before routing. */
function doorOf({ router }: ServerOptions, path: string): string | undefined {
  return router.match({ method: 'GET', path, basePath: '', outside: false, suspicious: false }).door
}

/** The door's own form of a failure. A mapper that fails itself leaves the barest answer that is still one. */
export function failed(options: ServerOptions, failure: Error, about: FailureAbout): Reply {
  try {
    const reply = options.onFailure(failure, about)
    const more = failure instanceof HttpFailure ? failure.headers : undefined
    return more ? { ...reply, headers: { ...more, ...reply.headers } } : reply
  } catch (error) {
    const reference = about.reference ?? freshId()
    options.log.error('failure could not be told', { reference, door: about.door, path: about.path, error, failure })
    return text(500, `Something went wrong on the server; the log has it as ${reference}.\n`)
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
