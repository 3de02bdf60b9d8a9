// What a body on `/api/` asks for: class and action, arguments beside them or in `arguments`, options beside.

import type { Call } from '../actions/call.ts'
import { optionNames, parseOptions } from '../actions/options.ts'
import { isObject, type JsonObject, parseCallName } from '../doors/call.ts'
import { Failure } from '../failure.ts'

const form = 'an object such as {"class": "SVC_API", "action": "welcome"}'

/** Members that are never an argument when they stand beside class and action. */
const reserved: ReadonlySet<string> = new Set(['class', 'action', 'arguments', ...optionNames])

/**
 * The call in a body.
 * @throws Failure `malformed` where it names no class and action; `invalid` for arguments in both places, or options of the wrong kind
 */
export function readCall(body: unknown): Call {
  const name = isObject(body) ? parseCallName(body['class'], body['action']) : undefined
  if (!isObject(body) || name === undefined)
    throw new Failure('malformed', 'The body must be an object that names a class and an action.', { expected: form })
  return { name, input: argumentsOf(body), options: parseOptions(body) }
}

function argumentsOf(body: JsonObject): JsonObject {
  const beside = Object.entries(body).filter(([name]) => !reserved.has(name))
  if (!Object.hasOwn(body, 'arguments')) return Object.fromEntries(beside)
  const given = body['arguments']
  if (!isObject(given)) {
    throw new Failure('invalid', '"arguments" must be an object.', { field: 'arguments', expected: 'an object' })
  }
  const [other] = beside
  if (!other) return given
  throw new Failure('invalid', `Arguments came both in "arguments" and beside it (${JSON.stringify(other[0])}).`, {
    field: other[0],
    expected: 'all arguments beside "action", or all in "arguments"',
  })
}
