// The name of an action in a call, and the facts about the request for dispatch. `/mcp/` and `/api/` share this.

import type { Around } from '../../actions/call/call.ts'
import type { Request } from '../../http/request.ts'
import { baseOf } from './paths.ts'

const maxNameLength = 200

/**
 * Parses the name `SVC_Content.get`, from class and action or from an action that names both. Undefined if the name is missing,
 * too long or not text. Dispatch checks if the action exists, and answers `SVC_Content__get` with the right spelling.
 */
export function parseCallName(ofClass: unknown, action: unknown): string | undefined {
  if (typeof action !== 'string' || action === '' || action.length > maxNameLength) return undefined
  if (ofClass === undefined) return action.includes('.') || action.includes('__') ? action : undefined
  return typeof ofClass === 'string' && ofClass !== '' && ofClass.length <= maxNameLength ? `${ofClass}.${action}` : undefined
}

/** The facts about a request that dispatch needs. The signal is created at its first use, because creating it takes time. */
export function aroundOf(request: Request): Around {
  return new AroundRequest(request)
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
