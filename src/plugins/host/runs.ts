// In which run something is said: prints and asks carry its number, so that the site knows whose they are.

import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<number>()

/** Calls a function as the run of that number; all that it starts belongs to it. */
export function duringRun<Value>(run: number, fn: () => Value): Value {
  return current.run(run, fn)
}

/** The number of the run that asks; null outside any. */
export function currentRun(): number | null {
  return current.getStore() ?? null
}
