// The time, as a value that is passed on: nothing else asks the system's clock.

/** Milliseconds since 1970 in UTC. */
export interface Clock {
  now(): number
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() }
