// A request's body, whole: within a size, within a time, once. What isn't read here is drained by the writer.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpFailure } from './failure.ts'
import type { Sweep, Waiting } from './sweep.ts'

/** Whether a request's headers announce a body. */
export function announcesBody(incoming: IncomingMessage): boolean {
  const { headers } = incoming
  return (
    headers['transfer-encoding'] !== undefined || (headers['content-length'] !== undefined && headers['content-length'] !== '0')
  )
}

const nothing = new Uint8Array(0)

/**
 * Reads the body: what has come with its head is taken as it lies there, the rest by plain listeners, as an async iterator costs several
 * promises a request.
 * @throws HttpFailure (as rejection) `too_large`, at once where the length is announced; `timeout`; `client_left`
 */
export function readBody(
  incoming: IncomingMessage,
  response: ServerResponse,
  { maxBytes, seconds, sweep, awaitsContinue }: { maxBytes: number; seconds: number; sweep: Sweep; awaitsContinue: boolean },
): Promise<Uint8Array> {
  if (!announcesBody(incoming)) return Promise.resolve(nothing)
  if (Number(incoming.headers['content-length']) > maxBytes) return Promise.reject(tooLarge(maxBytes))
  if (incoming.destroyed) return Promise.reject(clientLeft())
  if (incoming.complete) return takeWhole(incoming, maxBytes)
  if (awaitsContinue) response.writeContinue()
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    let open = true
    const end = (failure?: HttpFailure): void => {
      if (!open) return
      open = false
      sweep.unwatch(waiting)
      if (failure) reject(failure)
      else resolve(chunks.length === 1 ? (chunks[0] ?? nothing) : Buffer.concat(chunks, size))
    }
    const waiting: Waiting = {
      dueTick: 0,
      expire: () => end(new HttpFailure('timeout', `The body did not arrive within ${seconds} seconds.`)),
    }
    sweep.watch(waiting, seconds)
    incoming.on('data', (chunk: Uint8Array) => {
      if (!open) return
      size += chunk.length
      if (size > maxBytes) end(tooLarge(maxBytes))
      else chunks.push(chunk)
    })
    incoming.on('end', () => end())
    incoming.on('close', () => {
      if (open) end(clientLeft())
    })
  })
}

/** The body of a request that has arrived to its end and of which nothing was read: there is nothing to wait for, and no deadline. */
async function takeWhole(incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  if (incoming.readableLength > maxBytes) throw tooLarge(maxBytes)
  return (incoming.read() as Uint8Array | null) ?? nothing
}

const tooLarge = (maxBytes: number) => new HttpFailure('too_large', `The body is larger than the ${maxBytes} bytes taken here.`)
const clientLeft = () => new HttpFailure('client_left', 'The client left before its body had arrived.')
