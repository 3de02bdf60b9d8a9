// The call in the request body of `/api/`.

import type { Call } from '../../actions/call/call.ts'
import { readMembers } from '../shared/read-call.ts'
import type { TextReading } from '../shared/read-texts.ts'
import { Failure } from '../../base/failure.ts'
import { isObject } from '../../base/json.ts'
import { nearDetail } from '../../base/nearest.ts'

const form = 'an object such as {"class": "SVC_API", "action": "welcome"}'

/**
 * Parses the call in a request body.
 * @throws Failure `malformed` if the body names no action; `invalid` for arguments in both places and for options of the wrong
 * type
 */
export function readCall(body: unknown, reading: TextReading): Call {
  const call = isObject(body) ? readMembers(body, reading) : undefined
  if (call) return call
  throw new Failure('malformed', 'The body must be an object that names a class and an action.', {
    expected: form,
    ...nearDetail(reading.nearestTo(isObject(body) ? body['action'] : undefined)),
  })
}
