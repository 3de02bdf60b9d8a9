// Connections that are lent out one borrower at a time, first come first served, with a bound on the wait.
// It opens none: they come opened, and it closes them.

import type { SqliteConnection } from './sqlite-connection.ts'
import { unavailable } from './sqlite-errors.ts'

export interface Pool {
  /** @throws Failure `unavailable` when none came free in time, or the pool is closing */
  take(): Promise<SqliteConnection>
  give(connection: SqliteConnection): void
  /** Takes no more borrowers, waits for those there are, and closes. */
  close(): Promise<void>
}

interface Waiter {
  readonly serve: (connection: SqliteConnection) => void
  readonly turnAway: (reason: Error) => void
}

/** @param waitMs how long a borrower waits, and how long `close` waits for borrowers */
export function createPool(connections: readonly SqliteConnection[], waitMs: number): Pool {
  const free = [...connections]
  const waiters = new Set<Waiter>()
  let closing: Promise<void> | undefined
  let allBack = (): void => undefined

  const wait = () =>
    new Promise<SqliteConnection>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        waiters.delete(waiter)
      }
      const waiter: Waiter = {
        serve: (connection) => (leave(), resolve(connection)),
        turnAway: (reason) => (leave(), reject(reason)),
      }
      const timer = setTimeout(
        () => waiter.turnAway(unavailable('The database has too much to do; try again shortly.', 1)),
        waitMs,
      )
      waiters.add(waiter)
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
    async take() {
      if (closing) throw unavailable('The site is stopping.', 5)
      return free.pop() ?? wait()
    },
    give(connection) {
      const [next] = waiters
      if (next) return next.serve(connection)
      free.push(connection)
      if (free.length === connections.length) allBack()
    },
    close: () => (closing ??= closeAll()),
  }
}
