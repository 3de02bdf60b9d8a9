// Lends each connection to one borrower at a time. Borrowers are served in order of arrival, and wait for a limited time. The pool
// is created with open connections and closes them at the end.

import type { PoolNumbers } from './database.ts'
import { endedEarly, troubles, unavailable } from './errors.ts'

/** An object that a pool lends. */
interface Closable {
  close(): Promise<void>
}

export interface Pool<C extends Closable> {
  /**
   * @param signal ends the wait
   * @throws Failure `unavailable` if no connection became free in time, the signal aborted, or the pool is closing
   */
  take(signal?: AbortSignal): Promise<C>
  give(connection: C): void
  /** Figures since the start. */
  readonly numbers: PoolNumbers
  /** Refuses new borrowers, waits until the connections are returned, and closes them. */
  close(): Promise<void>
}

interface Waiter<C> {
  readonly serve: (connection: C) => void
  readonly turnAway: (reason: Error) => void
}

/** @param waitMs the longest wait of a borrower, and of `close` for borrowers */
export function createPool<C extends Closable>(connections: readonly C[], waitMs: number): Pool<C> {
  const numbers: PoolNumbers = { waiting: 0, waits: 0, waitedMs: 0, refused: 0, beginMs: 0 }
  const free = [...connections]
  const waiters = new Set<Waiter<C>>()
  let closing: Promise<void> | undefined
  let allBack = (): void => undefined

  const wait = (signal: AbortSignal | undefined) =>
    new Promise<C>((resolve, reject) => {
      const began = performance.now()
      const leave = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
        waiters.delete(waiter)
        numbers.waiting = waiters.size
        numbers.waitedMs += performance.now() - began
      }
      const waiter: Waiter<C> = {
        serve: (connection) => (leave(), resolve(connection)),
        turnAway: (reason) => {
          leave()
          numbers.refused += 1
          reject(reason)
        },
      }
      const giveUp = () => waiter.turnAway(endedEarly())
      signal?.addEventListener('abort', giveUp, { once: true })
      const timer = setTimeout(() => waiter.turnAway(unavailable(...troubles.busy)), waitMs)
      waiters.add(waiter)
      numbers.waits += 1
      numbers.waiting = waiters.size
    })

  const closeAll = async () => {
    for (const waiter of waiters) waiter.turnAway(unavailable('The site is stopping.', 5))
    if (free.length < connections.length) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs)
        allBack = () => (clearTimeout(timer), resolve())
      })
    }
    await Promise.all(connections.map((connection) => connection.close()))
  }

  return {
    async take(signal) {
      if (closing) throw unavailable('The site is stopping.', 5)
      if (signal?.aborted) throw endedEarly()
      return free.pop() ?? wait(signal)
    },
    give(connection) {
      const [next] = waiters
      if (next) return next.serve(connection)
      free.push(connection)
      if (free.length === connections.length) allBack()
    },
    numbers,
    close: () => (closing ??= closeAll()),
  }
}
