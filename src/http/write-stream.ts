// Writes streamed answers as fast as the client reads them. They end if the client leaves, and break off if the source fails.

import type { ServerResponse } from 'node:http'
import type { Log } from '../base/log.ts'
import { commentText, eventText } from './event-stream.ts'
import type { Exchange } from './exchange.ts'
import type { Limits } from './limits.ts'
import type { ServerEvent } from './reply.ts'

type Streamed = { readonly stream: AsyncIterable<Uint8Array> } | { readonly events: AsyncIterable<ServerEvent> }

export interface StreamWriter {
  /** Writes a streamed body after the given header lines. `declared` is its `content-length`, if the reply has one. */
  send(exchange: Exchange, head: Head, body: Streamed, done: (bytes: number) => void): void
  endEvents(): void
}

export interface Head {
  readonly status: number
  readonly lines: string[]
  readonly declared: number | undefined
}

export function createStreamWriter({ log, limits }: { readonly log: Log; readonly limits: Limits }): StreamWriter {
  const openEvents = new Set<() => void>()
  return {
    send(exchange, { status, lines, declared }, body, done) {
      const { response, incoming } = exchange
      const isEvents = 'events' in body
      const source = isEvents ? body.events[Symbol.asyncIterator]() : body.stream[Symbol.asyncIterator]()
      if (declared !== undefined) lines.push('content-length', String(declared))
      response.writeHead(status, lines)
      if (incoming.method === 'HEAD') {
        response.end()
        void source.return?.()
        return done(0)
      }
      const about = { path: exchange.path, id: exchange.request?.id }
      const state = { bytes: 0, over: false }
      const finish = (how: 'ended' | 'left' | 'failed', error?: unknown): void => {
        if (state.over) return
        state.over = true
        openEvents.delete(end)
        clearInterval(comments)
        if (how === 'ended') response.end()
        else response.destroy()
        if (how === 'left') log.info('client left mid-answer', { ...about, bytes: state.bytes })
        if (how === 'failed') log.error('answer broken off', { ...about, error })
        // A waiting source must learn that the client has left.
        source.return?.().catch((cause: unknown) => log.error('stream did not end well', { ...about, error: cause }))
        done(state.bytes)
      }
      const end = (): void => finish('ended')
      const comments = isEvents ? sendComments(response, limits.eventCommentSeconds) : undefined
      if (isEvents) openEvents.add(end)
      response.flushHeaders()
      response.socket?.setTimeout(limits.readerSeconds * 1000)
      response.once('close', () => finish('left'))
      pump(response, source, state, declared).then(end, (error: unknown) => finish('failed', error))
    },
    endEvents() {
      for (const end of openEvents) end()
    },
  }
}

async function pump(
  response: ServerResponse,
  source: AsyncIterator<Uint8Array | ServerEvent>,
  state: { bytes: number; over: boolean },
  declared: number | undefined,
): Promise<void> {
  for (let part = await source.next(); part.done !== true; part = await source.next()) {
    if (state.over) return
    const chunk = part.value instanceof Uint8Array ? part.value : eventText(part.value)
    state.bytes += Buffer.byteLength(chunk)
    if (declared !== undefined && state.bytes > declared)
      throw new Error(`The stream gave more than the ${declared} bytes it declared.`)
    if (!response.write(chunk)) await readerReady(response)
  }
  if (declared !== undefined && state.bytes < declared && !state.over) {
    throw new Error(`The stream gave ${state.bytes} of the ${declared} bytes it declared.`)
  }
}

/** Sends comments, which keep proxies from closing a stream as idle. */
function sendComments(response: ServerResponse, everySeconds: number): NodeJS.Timeout {
  return setInterval(() => {
    if (!response.writableNeedDrain) response.write(commentText)
  }, everySeconds * 1000).unref()
}

/** Settles when the client has read the written bytes, or has left. */
function readerReady(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const ready = (): void => {
      response.off('drain', ready).off('close', ready)
      resolve()
    }
    if (response.destroyed) resolve()
    else response.on('drain', ready).on('close', ready)
  })
}
