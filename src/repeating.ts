// Work that is looked after again and again: never twice at once, and without keeping the process alive. What there is to do, and when, is
// the caller's.

export interface Repeating {
  /** Looks now, or waits for the look that is under way; the timer calls it by itself. */
  run(): Promise<void>
  /** Ends the timer and waits for what runs. */
  stop(): Promise<void>
}

/**
 * Looks every so often, for the first time after one interval.
 * @param look one that fails is tried again at the next time
 * @param onError is told of it
 */
export function repeat(everyMs: number, look: () => Promise<void>, onError: (error: unknown) => void): Repeating {
  let running: Promise<void> | undefined
  const run = () =>
    (running ??= look()
      .catch(onError)
      .finally(() => (running = undefined)))
  const timer = setInterval(() => void run(), everyMs)
  timer.unref()
  return {
    run,
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
