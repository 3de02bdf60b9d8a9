// How a call names its action, and what a door tells dispatch of the request it came in; alike on both doors.

import type { Around } from '../actions/call.ts'
import type { Request } from '../http/request.ts'
import { baseOf } from './paths.ts'

const maxNameLength = 200

/**
 * `SVC_Content.get`, from class and action or from an action that names both. Undefined where that is missing, of another kind, or
 * too long to be one. Whether there is such an action is dispatch's to say, which also answers `SVC_Content__get` with the right spelling.
 */
export function parseCallName(ofClass: unknown, action: unknown): string | undefined {
  if (typeof action !== 'string' || action === '' || action.length > maxNameLength) return undefined
  if (ofClass === undefined) return action.includes('.') || action.includes('__') ? action : undefined
  return typeof ofClass === 'string' && ofClass !== '' && ofClass.length <= maxNameLength ? `${ofClass}.${action}` : undefined
}

/** What dispatch is told of a request. Its signal costs something and is made when an action asks for it. */
export function aroundOf(request: Request): Around {
  return new AroundRequest(request)
}

/** A class, as a literal with a getter would be of a shape of its own at each call. */
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
