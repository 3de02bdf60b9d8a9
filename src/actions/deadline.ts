// A signal for as long as a write may take. `AbortSignal.any` over `AbortSignal.timeout` would be less to write and does not hold:
// on Node 20 the garbage collector takes such a timeout away before its time, and each leaves something at a signal that lives on.

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
