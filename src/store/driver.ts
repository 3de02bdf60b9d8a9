// Whether the database's driver is here and loads: a native module, which may have been built for another Node, or not at all.

import { toError } from '../error-message.ts'

/** Why the driver does not load; undefined where it does. Loads nothing else of the store. */
export async function findDriverFault(): Promise<Error | undefined> {
  try {
    await import('sqlite3')
    return undefined
  } catch (error) {
    return toError(error)
  }
}
