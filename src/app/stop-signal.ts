// The signals that stop a service.

const signals = ['SIGTERM', 'SIGINT'] as const

/** Resolves at the first SIGTERM or SIGINT. A second one ends the process at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve())
  })
}

/** Ignores further signals. Ctrl-C reaches each of several processes, and the primary process stops them in its own order. */
export function ignoreStopSignals(): void {
  for (const signal of signals) process.on(signal, () => undefined)
}
