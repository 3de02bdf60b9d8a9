// Work that is looked after again and again: never twice at once, and without keeping the process alive. What there is to do, and when, is
// the caller's.

export interface Repeating {
  /** Looks now, or waits for the look that is under way; the timer calls it by itself. */
  run(): Promise<void>
  /** Ends the timer, tells what runs to come to its end, and waits for it. */
  stop(): Promise<void>
}

/**
 * Looks every so often.
 * @param look one that fails is tried again at the next time; its signal says that a stop waits for it
 * @param onError is told of one that failed
 * @param firstMs when to look for the first time
 */
export function repeat(
  everyMs: number,
  look: (signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
  firstMs = everyMs,
): Repeating {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout
  const run = () =>
    (running ??= look(stopping.signal)
      .catch(onError)
      .finally(() => (running = undefined)))
  const wait = (ms: number) => {
    timer = setTimeout(() => {
      void run()
      wait(everyMs)
    }, ms).unref()
  }
  wait(firstMs)
  return {
    run,
    async stop() {
      clearTimeout(timer)
      stopping.abort()
      await running
    },
  }
}
