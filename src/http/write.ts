// The only place that writes answers. It handles length, HEAD, backpressure, aborts and unread request bodies, and writes an
// answer once.

import type { Socket } from 'node:net'
import { STATUS_CODES } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { Log } from '../base/log.ts'
import { drainBody } from './drain-body.ts'
import type { AnswerRecord, Exchange } from './exchange.ts'
import { endWith } from './end-with.ts'
import { httpStatuses } from './failure.ts'
import { createHeadLines } from './head-lines.ts'
import type { Limits } from './limits.ts'
import { announcesBody } from './read-body.ts'
import type { Body, Headers, Reply } from './reply.ts'
import type { Sweep } from './sweep.ts'
import { createStreamWriter } from './write-stream.ts'

export interface WriterOptions {
  readonly limits: Limits
  readonly log: Log
  readonly sweep: Sweep
  /** Default headers of every answer. */
  readonly serverHeaders: Headers
  /** True while the server is stopping. Then every answer ends its connection. */
  readonly isStopping: () => boolean
  readonly onAnswer: ((record: AnswerRecord) => void) | undefined
}

export interface Writer {
  send(exchange: Exchange, reply: Reply): void
  /**
   * Answers on a bare socket, because Node could not parse the request, and closes it. If the request took too long to arrive, it
   * closes at once. Otherwise it first reads and discards further bytes for a moment: closing at once would reset the connection
   * and lose the answer.
   */
  sendRaw(socket: Socket, reply: Reply): void
  /** Ends all event streams at once. */
  endEvents(): void
}

type WholeBody = Extract<Body, { text: string } | { bytes: Uint8Array }> | undefined

export function createWriter(options: WriterOptions): Writer {
  const { log, limits, sweep, onAnswer } = options
  const headLines = createHeadLines(options.serverHeaders)
  const streams = createStreamWriter(options)

  const record = (exchange: Exchange, status: number, bytes: number): void =>
    onAnswer?.({
      request: exchange.request,
      client: exchange.request?.client ?? exchange.incoming.socket.remoteAddress,
      method: exchange.incoming.method,
      path: exchange.path,
      status,
      bytes,
      durationMs: performance.now() - exchange.startedMs,
      door: exchange.door,
    })

  const sendWhole = (exchange: Exchange, status: number, lines: string[], body: WholeBody, unread: boolean): void => {
    const { response, incoming } = exchange
    const data = body === undefined ? '' : 'text' in body ? body.text : body.bytes
    const bytes = typeof data === 'string' ? Buffer.byteLength(data) : data.byteLength
    if (!bodiless(status)) lines.push('content-length', String(bytes))
    response.writeHead(status, lines)
    const shown = incoming.method === 'HEAD' || bodiless(status) ? '' : data
    if (unread) {
      if (shown.length > 0) response.write(shown)
      else response.flushHeaders()
      drainBody(incoming, limits, sweep, () => response.end())
    } else endWith(response, shown, bytes)
    cutSlowReader(response, limits)
    record(exchange, status, shown === '' ? 0 : bytes)
  }

  return {
    send(exchange, reply) {
      const { response, incoming } = exchange
      if (exchange.answered) {
        log.error('answered twice', { path: exchange.path, status: reply.status, id: exchange.request?.id })
        return
      }
      exchange.answered = true
      if (response.destroyed || incoming.socket.destroyed) {
        log.info('client left before its answer', { path: exchange.path, id: exchange.request?.id })
        return record(exchange, reply.status, 0)
      }
      const { status, body } = reply
      const lines = headLines(reply.headers)
      const unread = isUnread(exchange)
      if (exchange.lastOnConnection || options.isStopping() || (unread && !fitsDrain(exchange, limits))) {
        lines.push('connection', 'close')
        exchange.connection.ended = true
      }
      if (body !== undefined && ('stream' in body || 'events' in body)) {
        if (unread) drainBody(incoming, limits, sweep, () => undefined)
        const declared = reply.headers['content-length']
        const head = { status, lines, declared: declared === undefined ? undefined : Number(declared) }
        streams.send(exchange, head, body, (bytes) => record(exchange, status, bytes))
      } else sendWhole(exchange, status, lines, body, unread)
    },

    sendRaw(socket, reply) {
      if (!socket.writable) return
      const body = reply.body !== undefined && 'text' in reply.body ? reply.body.text : ''
      const lines = [...headLines(reply.headers), 'content-length', String(Buffer.byteLength(body)), 'connection', 'close']
      let head = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}\r\n`
      for (let at = 0; at < lines.length; at += 2) head += `${lines[at]}: ${lines[at + 1]}\r\n`
      socket.end(`${head}date: ${new Date().toUTCString()}\r\n\r\n${body}`)
      const bytes = Buffer.byteLength(body)
      onAnswer?.({ ...unread, status: reply.status, bytes, client: socket.remoteAddress })
      if (reply.status === httpStatuses.timeout) socket.destroySoon()
      else setTimeout(() => socket.destroy(), limits.refusalMs).unref()
    },

    endEvents: () => streams.endEvents(),
  }
}

/** The record of an answer without a parsed request. */
const unread = { request: undefined, method: undefined, path: undefined, durationMs: 0, door: undefined }

const bodiless = (status: number): boolean => status === 204 || status === 304

/**
 * True if the rest of the request body has to be read and discarded so that the answer arrives. The client may still be sending
 * the body, and would lose the answer if the connection were closed. A client that waits for `100 Continue` and did not get it
 * sends no body. A client that sent too slowly gets no more time.
 */
function isUnread({ incoming, heldBack, timedOut }: Exchange): boolean {
  return !timedOut && announcesBody(incoming) && !incoming.complete && !(heldBack && incoming.readableFlowing === null)
}

/** True if the rest of an unread request body is known to be small enough to keep the connection open. */
function fitsDrain({ incoming }: Exchange, { drainBytes }: Limits): boolean {
  return incoming.headers['transfer-encoding'] === undefined && Number(incoming.headers['content-length']) <= drainBytes
}

/** Disconnects a client that reads nothing for a while. Node's socket timeout starts again with each byte read. */
export function cutSlowReader(response: ServerResponse, { readerSeconds }: Limits): void {
  const { socket } = response
  if (socket && socket.writableLength > 0) socket.setTimeout(readerSeconds * 1000)
}
