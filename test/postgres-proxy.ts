// A proxy before the socket of a PostgreSQL server, which can lose what passes through it, or fall silent as a network does.

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { type PostgresServer, postgresServer } from './postgres.ts'

export interface PostgresProxy extends AsyncDisposable {
  readonly port: number
  /** Called with what clients send; drops the connection before it is passed on or after it, or passes on half of it and no more. */
  onSent: (chunk: Buffer) => 'pass' | 'drop' | 'pass then drop' | 'half'
  dropAll(): void
  /** From now on nothing passes, in either direction, and no connection ends. */
  fallSilent(): void
  /** Passes on what has waited, and all that comes. */
  speakAgain(): void
}

/** @param server that of the run by default */
export async function openPostgresProxy(server?: PostgresServer): Promise<PostgresProxy> {
  const { socket: folder, port } = server ?? (await postgresServer())
  const sockets = new Set<Socket>()
  let isSilent = false
  const proxy: PostgresProxy = {
    port: 0,
    onSent: () => 'pass',
    dropAll: () => sockets.forEach((socket) => socket.destroy()),
    fallSilent() {
      isSilent = true
      for (const socket of sockets) socket.pause()
    },
    speakAgain() {
      isSilent = false
      for (const socket of sockets) socket.resume()
    },
    async [Symbol.asyncDispose]() {
      proxy.dropAll()
      listener.close()
      await once(listener, 'close')
    },
  }
  const listener: Server = createServer((client) => {
    const upstream = connect(`${folder}/.s.PGSQL.${port}`)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => (client.destroy(), upstream.destroy(), sockets.delete(socket)))
    }
    let deaf = false
    client.on('data', (chunk) => {
      const fate = proxy.onSent(chunk)
      deaf = fate === 'pass then drop'
      if (fate === 'half') {
        upstream.write(chunk.subarray(0, chunk.length >> 1))
        client.pause()
      } else if (fate === 'drop') client.destroy()
      else upstream.write(chunk)
    })
    upstream.on('data', (chunk) => (deaf ? client.destroy() : client.write(chunk)))
    if (isSilent) for (const socket of [client, upstream]) socket.pause()
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return Object.assign(proxy, { port: (listener.address() as { port: number }).port })
}
