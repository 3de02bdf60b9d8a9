// The call in the members of a request, for both doors: class and action, arguments in `arguments` or beside `action`, and options.

import type { Call } from '../../actions/call/call.ts'
import { optionNames, readOptions } from '../../actions/call/options.ts'
import { nameIn } from '../../actions/call/registry.ts'
import { Failure, invalid } from '../../base/failure.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import { didYouMean, nearDetail, nearest } from '../../base/nearest.ts'
import { type TextReading, readValue } from './read-texts.ts'

const maxNameLength = 200

/** The actions with an argument `class`. Where the name has the class, another `class` beside it is that argument. */
const takeClass: ReadonlySet<string> = new Set(['SVC_API.list-actions', 'SVC_API.describe-action', 'SVC_API.openapi'])

/** The name of a call, and the argument that stood in the place of its class. */
interface Named {
  readonly name: string
  readonly given: { readonly class?: string }
}

/**
 * Finds the name `SVC_Content.get`, from class and action or from an action that names both. Undefined if the name is missing,
 * too long or not text. Dispatch checks if the action exists, and answers `SVC_Content__get` with the right spelling.
 */
function findName({ class: ofClass, action }: JsonObject): Named | undefined {
  if (typeof action !== 'string' || action === '' || action.length > maxNameLength) return undefined
  if (ofClass === undefined) return action.includes('.') || action.includes('__') ? { name: action, given: {} } : undefined
  if (typeof ofClass !== 'string' || ofClass === '' || ofClass.length > maxNameLength) return undefined
  if (takeClass.has(action) && ofClass !== 'SVC_API') return { name: action, given: { class: ofClass } }
  return { name: nameIn(ofClass, action), given: {} }
}

/** Returns the name of the call in the members of a request; undefined if there is none. */
export const parseCallName = (members: JsonObject): string | undefined => findName(members)?.name

/** The options as a schema, by which a number or boolean that came as text is read. */
const optionTypes = {
  type: 'object',
  properties: { select: { type: 'array' }, dry_run: { type: 'boolean' }, if_revision: { type: 'integer' } },
}

/**
 * Reads the call in the members of a request; undefined if they name no action.
 * @param reading notes what came as text
 * @throws Failure `invalid` for arguments in both places, and for options of the wrong type
 */
export function readMembers(members: JsonObject, reading: TextReading): Call | undefined {
  const named = findName(members)
  if (named === undefined) return undefined
  const { class: _class, action: _action, arguments: given, select, dry_run, if_revision, idempotency_key, ...beside } = members
  const options = readValue(optionTypes, { select, dry_run, if_revision, idempotency_key }, '', reading) as JsonObject
  const input = argumentsOf(readValue({ type: 'object' }, given, 'arguments', reading), beside)
  return {
    name: named.name,
    input: named.given.class === undefined ? input : { ...named.given, ...input },
    options: readOptions(options),
  }
}

function argumentsOf(given: unknown, beside: JsonObject): JsonObject {
  if (given === undefined) return beside
  if (!isObject(given)) throw invalid('arguments', '"arguments" must be an object.', 'an object')
  const [other] = Object.keys(beside)
  if (other === undefined) return given
  if (Object.keys(given).length === 0) return beside
  const near = nearest(other, optionNames)
  const field = other.slice(0, 80).toWellFormed()
  throw new Failure(
    'invalid',
    `Arguments came both in "arguments" and beside it (${JSON.stringify(field)}).${didYouMean(near)}`,
    { field, expected: 'all arguments beside "action", or all in "arguments"', ...nearDetail(near) },
  )
}
