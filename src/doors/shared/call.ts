// The facts about a request that dispatch gets with a call. `/mcp/` and `/api/` share this.

import type { Around } from '../../actions/call/call.ts'
import type { Request } from '../../http/request.ts'
import { baseOf } from './paths.ts'

/**
 * The facts about a request that dispatch needs. The signal is created at its first use, because creating it takes time.
 * @param onProgress a caller who gets progress also waits as long as the work takes
 */
export function aroundOf(request: Request, onProgress?: Around['onProgress']): Around {
  const around = new AroundRequest(request)
  return onProgress === undefined
    ? around
    : { origin: around.origin, signal: around.signal, onProgress, jobWaitMs: Number.POSITIVE_INFINITY }
}

/** A class, because each object literal with a getter would have a separate hidden class. */
class AroundRequest implements Around {
  readonly origin: string
  readonly #request: Request

  constructor(request: Request) {
    this.origin = baseOf(request)
    this.#request = request
  }

  get signal(): AbortSignal {
    return this.#request.signal
  }
}
