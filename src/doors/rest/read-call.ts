// The call in the request body of `/api/`: class and action, arguments next to them or in `arguments`, and options.

import type { Call } from '../../actions/call/call.ts'
import { readOptions } from '../../actions/call/options.ts'
import { parseCallName } from '../shared/call.ts'
import { Failure, invalid } from '../../base/failure.ts'
import { isObject, type JsonObject } from '../../base/json.ts'

const form = 'an object such as {"class": "SVC_API", "action": "welcome"}'

/**
 * Parses the call in a request body.
 * @throws Failure `malformed` if the body names no action; `invalid` for arguments in both places and for options of the wrong
 * type
 */
export function readCall(body: unknown): Call {
  const name = isObject(body) ? parseCallName(body['class'], body['action']) : undefined
  if (!isObject(body) || name === undefined)
    throw new Failure('malformed', 'The body must be an object that names a class and an action.', { expected: form })
  const { class: _class, action: _action, arguments: given, select, dry_run, if_revision, idempotency_key, ...beside } = body
  return { name, input: argumentsOf(given, beside), options: readOptions({ select, dry_run, if_revision, idempotency_key }) }
}

function argumentsOf(given: unknown, beside: JsonObject): JsonObject {
  if (given === undefined) return beside
  if (!isObject(given)) {
    throw invalid('arguments', '"arguments" must be an object.', 'an object')
  }
  const [other] = Object.keys(beside)
  if (other === undefined) return given
  throw invalid(
    other,
    `Arguments came both in "arguments" and beside it (${JSON.stringify(other)}).`,
    'all arguments beside "action", or all in "arguments"',
  )
}
