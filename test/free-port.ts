// TCP ports of loopback that nobody listens on now, for what must know its port before it listens.

import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

const rows = 200
const rowLength = 60
/** Below the ports that the system hands out by itself. */
const firstPort = 20_000

let row: Promise<number> | undefined
let taken = 0

/**
 * The system would hand out a port that it has just taken back to the next who asks, which may be another test. So each process takes
 * its ports from a row that no other process has.
 */
export async function freePort(): Promise<number> {
  const first = await (row ??= ownRow())
  for (let tries = 1; tries < rowLength; tries++) {
    const port = first + 1 + (taken++ % (rowLength - 1))
    const server = await listenOn(port)
    if (server === undefined) continue
    server.close()
    await once(server, 'close')
    return port
  }
  throw new Error(`No port from ${first} on is free.`)
}

/** @returns the first port of a row, on which this process listens as long as it lives: whoever finds it taken looks for another row */
async function ownRow(): Promise<number> {
  for (let tries = 0; tries < rows; tries++) {
    const first = firstPort + ((process.pid + tries) % rows) * rowLength
    const server = await listenOn(first)
    if (server === undefined) continue
    server.unref()
    return first
  }
  throw new Error(`No row of ports from ${firstPort} on is free.`)
}

/** @returns undefined if somebody else listens there */
function listenOn(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
