// Counts how often this process waits on the network: sending again after something has come back begins another wait.

import { Socket } from 'node:net'

/** Runs something, and returns how often it waited for an answer, on all connections of this process. */
export async function countWaits(run: () => Promise<unknown>): Promise<number> {
  const { write, emit } = Socket.prototype
  const waiting = new WeakSet<Socket>()
  let waits = 0
  Socket.prototype.write = function (this: Socket, ...given: unknown[]) {
    if (!waiting.has(this)) waits += 1
    waiting.add(this)
    return Reflect.apply(write, this, given) as boolean
  }
  Socket.prototype.emit = function (this: Socket, ...given: unknown[]) {
    if (given[0] === 'data') waiting.delete(this)
    return Reflect.apply(emit, this, given) as boolean
  }
  try {
    await run()
    return waits
  } finally {
    Socket.prototype.write = write
    Socket.prototype.emit = emit
  }
}
