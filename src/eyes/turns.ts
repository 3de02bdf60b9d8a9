// Lets pictures be taken one at a time. One picture of each caller may wait.

import { Failure } from '../base/failure.ts'

/** The most pictures that wait. Taking one has a limit of time, and callers don't wait much longer than that of a call. */
const maxWaiting = 6

/** Runs something in turn. @throws Failure `rate_limited` if something of this caller waits already */
export type InTurn = <T>(caller: string, run: () => Promise<T>) => Promise<T>

export function createTurns(): InTurn {
  const waiting = new Map<string, () => void>()
  let isTaken = false
  return async (caller, run) => {
    if (waiting.has(caller))
      throw new Failure(
        'rate_limited',
        'A picture for you is waiting already, because one is taken at a time. Ask again when it is there.',
      )
    if (waiting.size >= maxWaiting)
      throw new Failure('rate_limited', 'Too many pictures are waiting to be taken. Try again shortly.', { retry_after: 20 })
    if (isTaken) await new Promise<void>((resolve) => waiting.set(caller, resolve))
    isTaken = true
    try {
      return await run()
    } finally {
      const [next] = waiting
      isTaken = next !== undefined
      if (next) waiting.delete(next[0])
      next?.[1]()
    }
  }
}
