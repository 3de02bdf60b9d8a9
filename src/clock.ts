// The clock, as a value that is passed to whatever needs the time. Nothing else reads the clock of the system.

/** Milliseconds since 1970 in UTC. */
export interface Clock {
  now(): number
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() }
