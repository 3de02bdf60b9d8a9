// Makes the writers of several processes take turns before they ask for the database's lock. `processes/write-queue.ts` decides the
// order. A site with one process has no turns.

import type { PoolNumbers } from './database.ts'

/** The turns of this process's writers among those of all processes. */
export interface WriteTurns {
  /**
   * Waits for the turn of one writer. Undefined if it may write at once.
   * @throws Failure `unavailable` if the turn does not come in time, or the signal aborts
   */
  enter(signal?: AbortSignal): Promise<void> | undefined
  /** Must be called once for each `enter`, when the writer has ended. */
  leave(): void
}

interface Lender<C> {
  take(signal?: AbortSignal): Promise<C>
  give(connection: C): void
  readonly numbers: PoolNumbers
}

/** Returns a pool whose borrowers first wait for their turn; the pool itself if there are no turns. */
export function inTurn<C, P extends Lender<C>>(pool: P & Lender<C>, turns: WriteTurns | undefined): P {
  if (!turns) return pool
  const { numbers } = pool
  const enter = async (turn: Promise<void>) => {
    const began = performance.now()
    numbers.waits += 1
    numbers.waiting += 1
    try {
      await turn
    } catch (error) {
      numbers.refused += 1
      throw error
    } finally {
      numbers.waiting -= 1
      numbers.waitedMs += performance.now() - began
    }
  }
  return {
    ...pool,
    async take(signal?: AbortSignal) {
      const turn = turns.enter(signal)
      if (turn) await enter(turn)
      try {
        return await pool.take(signal)
      } catch (error) {
        turns.leave()
        throw error
      }
    },
    give(connection: C) {
      pool.give(connection)
      turns.leave()
    },
  }
}
