// Tracks the current run. Prints and questions carry its number, so that the site knows to which run they belong.

import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<number>()

/** Calls a function as the run with this number. Everything that the function starts belongs to the run. */
export function duringRun<Value>(run: number, fn: () => Value): Value {
  return current.run(run, fn)
}

/** The number of the current run; null outside of runs. */
export function currentRun(): number | null {
  return current.getStore() ?? null
}
