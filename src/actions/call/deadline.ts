// The time limit of a call as a signal. `AbortSignal.any` with `AbortSignal.timeout` would be shorter, but on Node 20 the garbage
// collector can remove such a timeout early, and each one leaves a listener on a long-lived signal.

import { setMaxListeners } from 'node:events'
import { Failure } from '../../base/failure.ts'

/** A signal with a timer. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Clears the timer and the listener on the other signal. */
  clear(): void
}

/** Returns a signal that aborts with `signal`, or after `ms` milliseconds. */
export function createDeadline(signal: AbortSignal, ms: number): Deadline {
  const controller = new AbortController()
  // A call may wait for any number of operations at once, such as one per page kind of a theme.
  setMaxListeners(0, controller.signal)
  const end = () => controller.abort(signal.reason)
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  const timer = setTimeout(() => controller.abort(), ms)
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    },
  }
}

/** The end of the failure of a call that has saved parts of its work. */
export const partsStay = 'What was saved stays, and the same call goes on with the rest.'

/**
 * Checks that a call has time left and that its caller is still connected (MCP: a disconnect cancels).
 * @param outcome what came of the call until now
 * @throws Failure `unavailable`
 */
export function checkDeadline({ signal }: { readonly signal: AbortSignal }, outcome = 'Nothing was changed.'): void {
  if (signal.aborted)
    throw new Failure('unavailable', `The action took too long, or the caller disconnected. ${outcome}`, {
      retry_after: 5,
    })
}
