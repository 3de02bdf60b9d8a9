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

/** True if the class in a request is an argument of the action, and not a part of its name. */
const isArgument = (ofClass: unknown, action: unknown): boolean =>
  ofClass !== undefined && ofClass !== 'SVC_API' && typeof action === 'string' && takeClass.has(action)

/**
 * Returns the name `SVC_Content.get`, from class and action or from an action that names both. Undefined if the name is missing,
 * too long or not text. Dispatch checks if the action exists, and answers `SVC_Content__get` with the right spelling.
 */
export function parseCallName({ class: ofClass, action }: JsonObject): string | undefined {
  if (typeof action !== 'string' || action === '' || action.length > maxNameLength) return undefined
  if (ofClass === undefined) return action.includes('.') || action.includes('__') ? action : undefined
  if (typeof ofClass !== 'string' || ofClass === '' || ofClass.length > maxNameLength) return undefined
  return isArgument(ofClass, action) ? action : nameIn(ofClass, action)
}

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
  const name = parseCallName(members)
  if (name === undefined) return undefined
  const { class: ofClass, action, arguments: given, select, dry_run, if_revision, idempotency_key, ...beside } = members
  const asked = { select, dry_run, if_revision, idempotency_key }
  const isText = typeof select === 'string' || typeof dry_run === 'string' || typeof if_revision === 'string'
  const options = isText ? (readValue(optionTypes, asked, '', reading) as JsonObject) : asked
  const input = argumentsOf(
    typeof given === 'string' ? readValue({ type: 'object' }, given, 'arguments', reading) : given,
    beside,
  )
  return {
    name,
    input: isArgument(ofClass, action) ? { class: ofClass, ...input } : input,
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
