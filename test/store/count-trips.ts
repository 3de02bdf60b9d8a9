// Counts the trips to the thread of SQLite, at the driver: each prepared statement that runs is one, whatever it does. Only statements of the call
// itself count. The process does other things beside it, such as its watch for foreign changes, and does more of them the longer a call takes.

import { AsyncLocalStorage } from 'node:async_hooks'
import { Server } from 'node:http'
import sqlite3 from 'sqlite3'

type Method = (this: { readonly sql: string }, ...given: unknown[]) => unknown

/** The count of the call that runs now. */
const counts = new AsyncLocalStorage<{ trips: number }>()

/** Runs something, and returns how many statements the driver ran for it, on all connections of this process. */
export async function countTrips(run: () => Promise<unknown>): Promise<number> {
  return counting((count) => counts.run(count, run))
}

/** Runs something that sends a request to a service in this process, and returns how many statements the driver ran for requests of that address. */
export async function countTripsOfRequest(address: string, run: () => Promise<unknown>): Promise<number> {
  const server = Server.prototype
  const { emit } = server
  return counting(async (count) => {
    server.emit = function (this: Server, event: string, ...given: unknown[]) {
      const emitPlainly = () => Reflect.apply(emit, this, [event, ...given]) as boolean
      const [request] = given as [{ readonly url?: string } | undefined]
      return event === 'request' && request?.url === address ? counts.run(count, emitPlainly) : emitPlainly()
    }
    try {
      await run()
    } finally {
      server.emit = emit
    }
  })
}

async function counting(run: (count: { trips: number }) => Promise<unknown>): Promise<number> {
  const methods = sqlite3.Statement.prototype as unknown as Record<string, Method>
  const { run: plainRun, all: plainAll } = methods as { run: Method; all: Method }
  const counted = (plain: Method): Method =>
    function (...given) {
      const count = counts.getStore()
      if (count) count.trips += 1
      return plain.apply(this, given)
    }
  methods['run'] = counted(plainRun)
  methods['all'] = counted(plainAll)
  const count = { trips: 0 }
  try {
    await run(count)
    return count.trips
  } finally {
    methods['run'] = plainRun
    methods['all'] = plainAll
  }
}
