// The HTTP server: turns Node's requests into this program's, writes replies, and stops without losing a request. It knows routes,
// not doors.

import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Connection } from './exchange.ts'
import { HttpFailure } from './failure.ts'
import { whenThere } from '../base/soon.ts'
import { placeOf } from './request.ts'
import { basePathOf, createExchangeServer, replyToFailure } from './serve.ts'
import type { ServerOptions } from './serve.ts'
import { currentAnswer, failureOfSocket } from './socket-failure.ts'
import { stop } from './stop.ts'
import { createSweep } from './sweep.ts'
import { readTarget } from './target.ts'
import { createWriter } from './write.ts'

export type { FailureAbout, ServerOptions } from './serve.ts'

export interface HttpServer {
  readonly connections: number
  /** Starts to listen. `fd` is a socket that systemd opened. */
  listen(
    where: { readonly host: string; readonly port: number } | { readonly fd: number },
  ): Promise<{ port: number; address: string }>
  /**
   * Stops without losing a request: answers open requests, then closes. Requests that are still open at the deadline are aborted.
   */
  close(deadlineMs?: number): Promise<void>
}

export function createHttpServer(options: ServerOptions): HttpServer {
  const { limits, log } = options
  const sweep = createSweep(limits.checkSeconds)
  const connections = new Map<Socket, Connection>()
  let stopping = false
  const writer = createWriter({
    limits,
    log,
    sweep,
    serverHeaders: options.serverHeaders ?? {},
    isStopping: () => stopping,
    onAnswer: options.onAnswer,
  })
  const connectionOf = (socket: Socket): Connection => {
    const known = connections.get(socket)
    if (known) return known
    const connection = { requests: 0, ended: false }
    connections.set(socket, connection)
    return connection
  }
  const serve = createExchangeServer(options, { limits, sweep, awaitsContinue: false }, { writer, connectionOf })
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
  // Zero removes Node's own limit, which silently drops further headers. `checkHeaderLines` counts them.
  server.maxHeadersCount = 0
  server.on('checkContinue', (incoming: IncomingMessage, response: ServerResponse) => serve(incoming, response, 'continue'))
  server.on('checkExpectation', (incoming: IncomingMessage, response: ServerResponse) => serve(incoming, response, 'unknown'))
  const refuse = (failure: HttpFailure, socket: Socket, path: string | undefined): void =>
    void whenThere(
      replyToFailure(options, failure, { path: path === undefined ? undefined : pathBelow(path, basePathOf(options)) }),
      (reply) => writer.sendRaw(socket, reply),
    )
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    refuse(
      new HttpFailure('wrong_method', 'This server does not accept CONNECT, because it is not a proxy.', {
        allow: 'GET, HEAD, POST',
      }),
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
    // The source of a quiet stream is idle, not the client.
    if (socket.writableLength > 0 || currentAnswer(socket) === undefined) socket.destroy()
  })
  server.on('connection', (socket: Socket) => {
    connectionOf(socket)
    socket.once('close', () => connections.delete(socket))
  })

  return {
    get connections() {
      return connections.size
    },
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

function pathBelow(target: string, basePath: string): string | undefined {
  try {
    return placeOf(readTarget(target), basePath).rawPath
  } catch (error) {
    if (error instanceof HttpFailure) return undefined
    throw error
  }
}

function listen(server: Server, where: Parameters<HttpServer['listen']>[0]) {
  return new Promise<Awaited<ReturnType<HttpServer['listen']>>>((resolve, reject) => {
    server.once('error', reject)
    // Node's default backlog of 511 would shorten the queue of systemd's socket, in which clients wait during a restart.
    server.listen({ ...where, backlog: 4096 }, () => {
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
