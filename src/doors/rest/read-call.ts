// The call in the request body of `/api/`.

import type { Call } from '../../actions/call/call.ts'
import { readMembers } from '../shared/read-call.ts'
import type { TextReading } from '../shared/read-texts.ts'
import { Failure } from '../../base/failure.ts'
import { isObject } from '../../base/json.ts'
import { nearDetail } from '../../base/nearest.ts'

/** The form of a call, for failures. */
export const form = 'an object such as {"class": "SVC_API", "action": "welcome"}'

/**
 * Parses the call in a request body.
 * @throws Failure `malformed` if the body names no action; `invalid` for arguments in both places and for options of the wrong
 * type
 */
export function readCall(body: unknown, reading: TextReading): Call {
  const call = isObject(body) ? readMembers(body, reading) : undefined
  if (call) return call
  const named = isObject(body) ? body['action'] : undefined
  const lacking =
    typeof named === 'string'
      ? `: ${JSON.stringify(named.slice(0, 60).toWellFormed())} names no class`
      : isObject(body)
        ? ': it has no text in "action"'
        : ''
  throw new Failure('malformed', `The body must be an object that names a class and an action${lacking}.`, {
    expected: form,
    ...(Array.isArray(body) && { hint: 'SVC_API.batch runs several calls in one.' }),
    ...nearDetail(reading.nearestTo(named)),
  })
}
