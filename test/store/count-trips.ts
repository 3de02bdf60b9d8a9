// Counts the trips to the thread of SQLite, at the driver: each prepared statement that runs is one, whatever it does.

import sqlite3 from 'sqlite3'

type Method = (this: { readonly sql: string }, ...given: unknown[]) => unknown

/** Runs something, and returns how many statements the driver ran meanwhile, on all connections of this process. */
export async function countTrips(run: () => Promise<unknown>): Promise<number> {
  const methods = sqlite3.Statement.prototype as unknown as Record<string, Method>
  const { run: plainRun, all: plainAll } = methods as { run: Method; all: Method }
  let trips = 0
  const counting = (plain: Method): Method =>
    function (...given) {
      // The watch for foreign changes asks for this several times a second.
      if (this.sql !== 'pragma data_version') trips += 1
      return plain.apply(this, given)
    }
  methods['run'] = counting(plainRun)
  methods['all'] = counting(plainAll)
  try {
    await run()
    return trips
  } finally {
    methods['run'] = plainRun
    methods['all'] = plainAll
  }
}
