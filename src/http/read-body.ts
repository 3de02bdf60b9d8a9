// Reads a whole request body, within a size and a time. The writer drains the rest.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpFailure } from './failure.ts'
import type { Sweep } from './sweep.ts'

/** True if the headers of a request announce a request body. */
export function announcesBody(incoming: IncomingMessage): boolean {
  const { headers } = incoming
  return (
    headers['transfer-encoding'] !== undefined || (headers['content-length'] !== undefined && headers['content-length'] !== '0')
  )
}

const nothing = new Uint8Array(0)

/**
 * Reads the request body with plain listeners, because an async iterator costs several promises per request.
 * @throws HttpFailure (as rejection) `too_large`, at once if the announced length is too large; `timeout`; `client_left`
 */
export function readBody(
  incoming: IncomingMessage,
  response: ServerResponse,
  { maxBytes, seconds, sweep, awaitsContinue }: { maxBytes: number; seconds: number; sweep: Sweep; awaitsContinue: boolean },
): Promise<Uint8Array> {
  if (!announcesBody(incoming)) return Promise.resolve(nothing)
  if (Number(incoming.headers['content-length']) > maxBytes) return Promise.reject(tooLarge(maxBytes))
  if (incoming.destroyed) return Promise.reject(clientLeft())
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
    const waiting = sweep.watch(seconds, () =>
      end(new HttpFailure('timeout', `The body did not arrive within ${seconds} seconds.`)),
    )
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

/** The failure for a body over its limit. */
export const tooLarge = (maxBytes: number) =>
  new HttpFailure('too_large', `The request body is larger than ${maxBytes} bytes, the most that is accepted here.`)

export const clientLeft = () => new HttpFailure('client_left', 'The client left before its body had arrived.')
