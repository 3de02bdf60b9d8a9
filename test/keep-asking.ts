// A client that asks without pause over a kept connection, and notes what came: so a test finds each request that a restart has lost.

import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Asks for `/healthz` over one kept connection until it is told to end. Each answer or error is added to `found`.
 * @param pauseMs between an answer and the next request; none where left out
 */
export async function keepAsking(port: number, isOver: () => boolean, found: string[], pauseMs?: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = () =>
    new Promise<string>((resolve) => {
      request({ port, host: '127.0.0.1', path: '/healthz', agent }, (answer) => {
        let text = ''
        answer.on('data', (part: Buffer) => (text += part.toString()))
        answer.on('close', () => resolve(answer.complete ? `${answer.statusCode} ${text.trim()}` : 'cut'))
      })
        .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
        .end()
    })
  while (!isOver()) {
    found.push(await ask())
    if (pauseMs !== undefined) await sleep(pauseMs)
  }
  agent.destroy()
}
