// Loads the SQLite driver when the first database is opened. The driver is a native module, which may be built for another version
// of Node or missing. The doctor and the help of the command line must work without it.

import type sqlite3 from 'sqlite3'
import { toError } from '../../base/error-message.ts'

/** @throws Error if the driver does not load */
export async function loadDriver(): Promise<typeof sqlite3> {
  return (await import('sqlite3')).default
}

/** Returns the error if the driver does not load; undefined if it loads. */
export async function findDriverFault(): Promise<Error | undefined> {
  try {
    await loadDriver()
    return undefined
  } catch (error) {
    return toError(error)
  }
}
