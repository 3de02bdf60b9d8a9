// Lets pictures be taken one at a time. One picture of each caller may wait.

import { Failure } from '../base/failure.ts'

/** The most pictures that wait. Taking one has a limit of time, and callers don't wait much longer than that of a call. */
const maxWaiting = 6

/**
 * Runs something in turn. A caller who leaves while it waits gives up the place.
 * @throws Failure `rate_limited` if something of this caller waits already; `unavailable` if the caller has left
 */
export type InTurn = <T>(caller: string, run: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** The failure of a picture for which nobody waits any more. */
export const callerLeft = (): Failure =>
  new Failure('unavailable', 'The caller left, or its time was up, before the picture was there. Ask again.')

export function createTurns(): InTurn {
  const waiting = new Map<string, () => void>()
  let isTaken = false
  const waitForTurn = (caller: string, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(caller)
        reject(callerLeft())
      }
      signal?.addEventListener('abort', leave, { once: true })
      waiting.set(caller, () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      })
    })
  return async (caller, run, signal) => {
    if (signal?.aborted) throw callerLeft()
    if (waiting.has(caller))
      throw new Failure(
        'rate_limited',
        'A picture for you is waiting already, because one is taken at a time. Ask again when it is there.',
      )
    if (waiting.size >= maxWaiting)
      throw new Failure('rate_limited', 'Too many pictures are waiting to be taken. Try again shortly.', { retry_after: 20 })
    if (isTaken) await waitForTurn(caller, signal)
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
