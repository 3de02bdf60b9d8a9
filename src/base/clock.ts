// The clock, as a value that is passed to all code that needs the time. No other code reads the clock of the system.

/** Milliseconds since 1970 in UTC. */
export interface Clock {
  now(): number
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() }
