// Repeats work at intervals: never twice at once, and without keeping the process alive. The caller decides which work is due.

export interface Repeating {
  /** Runs the work now, or waits for the run in progress. The timer also calls it. */
  run(): Promise<void>
  /** Stops the timer, aborts the signal of a run in progress, and waits for it. */
  stop(): Promise<void>
}

/**
 * Runs work at intervals.
 * @param work runs again at the next interval if it fails. Its signal is aborted when a stop waits for it
 * @param onError receives the error of a failed run
 * @param firstMs delay of the first run
 */
export function repeat(
  everyMs: number,
  work: (signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
  firstMs = everyMs,
): Repeating {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout
  const run = () =>
    (running ??= work(stopping.signal)
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
