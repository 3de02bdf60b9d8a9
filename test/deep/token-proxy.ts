// A proxy that adds a token: the conformance suite can't send one. Host, Origin and all else pass as they came.

import { once } from 'node:events'
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TokenProxy extends AsyncDisposable {
  readonly address: string
}

/** @param target port on 127.0.0.1 */
export async function openTokenProxy(target: number, token: string): Promise<TokenProxy> {
  const server = createServer((incoming, answer) => pass(incoming, answer, target, token))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function pass(incoming: IncomingMessage, answer: ServerResponse, port: number, token: string): void {
  const { method, url, headers } = incoming
  const outgoing = forward({
    host: '127.0.0.1',
    port,
    method,
    path: url,
    headers: { authorization: `Bearer ${token}`, ...headers },
    agent: false,
  })
  outgoing.on('response', (response) => {
    answer.writeHead(response.statusCode ?? 502, response.rawHeaders)
    response.pipe(answer)
  })
  outgoing.on('error', () => answer.destroy())
  answer.on('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}
