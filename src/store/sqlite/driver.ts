// The driver is a native module: it may be built for another version of Node, or not built at all. It is loaded when the first database is
// opened, so that the help of the command line, and the doctor, work without it.

import type sqlite3 from 'sqlite3'
import { toError } from '../../error-message.ts'

/** The driver. @throws Error where it does not load */
export async function loadDriver(): Promise<typeof sqlite3> {
  return (await import('sqlite3')).default
}

/** The error with which the driver fails to load; undefined where it loads. Nothing else of the store is loaded. */
export async function findDriverFault(): Promise<Error | undefined> {
  try {
    await loadDriver()
    return undefined
  } catch (error) {
    return toError(error)
  }
}
