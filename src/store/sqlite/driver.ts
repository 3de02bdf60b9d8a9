// The driver is a native module: it may be built for another version of Node, or not built at all.

import { toError } from '../../error-message.ts'

/** The error with which the driver fails to load; undefined where it loads. Nothing else of the store is loaded. */
export async function findDriverFault(): Promise<Error | undefined> {
  try {
    await import('sqlite3')
    return undefined
  } catch (error) {
    return toError(error)
  }
}
