// Stops a server in an order that loses no request behind a reverse proxy.

import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Socket } from 'node:net'

/**
 * Stops a server. First it accepts no new connections. For a while, idle connections may still bring a request and get
 * `Connection: close` with the answer. Then idle connections are closed, and at the deadline all others.
 */
export function stop(
  server: Server,
  sockets: ReadonlyMap<Socket, unknown>,
  { idleMs, deadlineMs }: { idleMs: number; deadlineMs: number },
): Promise<void> {
  return new Promise((resolve) => {
    const closeIdle = (): void => {
      server.closeIdleConnections()
      // Node counts a connection that never sent a byte as busy.
      for (const socket of sockets.keys()) if (socket.bytesRead === 0) socket.destroy()
    }
    const idle = setTimeout(closeIdle, idleMs)
    const last = setTimeout(() => server.closeAllConnections(), deadlineMs)
    NetServer.prototype.close.call(server, () => {
      clearTimeout(idle)
      clearTimeout(last)
      // All connections are closed by now; this only ends Node's own check of time-outs.
      server.close(() => undefined)
      resolve()
    })
  })
}
