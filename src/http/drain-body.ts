// Reads and discards the unread rest of a request body, up to a cap, so that the answer arrives and the rest is never parsed as a
// request.

import type { IncomingMessage } from 'node:http'
import type { Limits } from './limits.ts'
import type { Sweep } from './sweep.ts'

/**
 * Drains the rest of a request body. `done` is called once. Past the cap or the time limit, the connection is destroyed
 * afterwards.
 */
export function drainBody(incoming: IncomingMessage, limits: Limits, sweep: Sweep, done: () => void): void {
  let size = 0
  let open = true
  const end = (destroy: boolean): void => {
    if (!open) return
    open = false
    sweep.unwatch(waiting)
    done()
    if (destroy) incoming.socket.destroy()
  }
  const waiting = sweep.watch(limits.drainSeconds, () => end(true))
  incoming.on('data', (chunk: Uint8Array) => {
    size += chunk.length
    if (size > limits.lingerBytes) end(true)
  })
  incoming.on('end', () => end(false))
  incoming.on('close', () => end(false))
  if (incoming.readableEnded || incoming.destroyed) end(false)
  else incoming.resume()
}
