// Counts how often a call waits on the network: sending again after something has come back begins another wait. What else the process sends beside
// the call does not count.

import { AsyncLocalStorage } from 'node:async_hooks'
import { Socket } from 'node:net'

const counted = new AsyncLocalStorage<true>()

/** Runs something, and returns how often it waited for an answer, on all connections that it used. */
export async function countWaits(run: () => Promise<unknown>): Promise<number> {
  const { write, emit } = Socket.prototype
  const waiting = new WeakSet<Socket>()
  let waits = 0
  Socket.prototype.write = function (this: Socket, ...given: unknown[]) {
    if (counted.getStore() && !waiting.has(this)) {
      waits += 1
      waiting.add(this)
    }
    return Reflect.apply(write, this, given) as boolean
  }
  Socket.prototype.emit = function (this: Socket, ...given: unknown[]) {
    if (given[0] === 'data') waiting.delete(this)
    return Reflect.apply(emit, this, given) as boolean
  }
  try {
    await counted.run(true, run)
    return waits
  } finally {
    Socket.prototype.write = write
    Socket.prototype.emit = emit
  }
}
