// The end of a server, in the order that loses nobody behind a proxy.

import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Socket } from 'node:net'

/**
 * Stops in the order that loses no request behind a proxy (OPERATIONS.md §3): no more connections, then a while in which idle ones
 * may still bring a request and get `Connection: close` with its answer, then the idle ones, at last the rest.
 */
export function stop(
  server: Server,
  sockets: ReadonlyMap<Socket, unknown>,
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
