// A signal for as long as a call may take. `AbortSignal.any` over `AbortSignal.timeout` would be less to write and does not hold:
// on Node 20 the garbage collector takes such a timeout away before its time, and each leaves something at a signal that lives on.

import { Failure } from '../failure.ts'

/** Ends with another signal, or by itself. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Lets go of the timer and of the other signal. */
  clear(): void
}

/** A signal that ends with `signal`, or after `ms` milliseconds. */
export function createDeadline(signal: AbortSignal, ms: number): Deadline {
  const controller = new AbortController()
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

/**
 * Ends a call whose time is up or whose caller has left (MCP: a disconnect cancels).
 * @throws Failure `unavailable`
 */
export function checkDeadline({ signal }: { readonly signal: AbortSignal }): void {
  if (signal.aborted)
    throw new Failure('unavailable', 'The action took too long, or its caller left: nothing was changed.', { retry_after: 5 })
}
