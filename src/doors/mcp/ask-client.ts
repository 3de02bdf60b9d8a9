// Questions to the person at the client: a call that lacks required arguments is answered `input_required`, if the client can ask.
// The client repeats the call with the answers. The answers come from the client, so they approve nothing: whatever asks first or
// needs a proof is decided in the admin. No state is kept, because a repeated call is checked like any other.
// @see MCP 2026-07-28, Multi Round-Trip Requests

import { type Action, callName } from '../../actions/call/action.ts'
import type { Call } from '../../actions/call/call.ts'
import type { Failure } from '../../base/failure.ts'
import { isObject, type JsonObject, jsonText } from '../../base/json.ts'
import { type Admitted, runCall } from '../shared/admit.ts'
import { clientCapabilities } from './era.ts'

/** The name of our only question in `inputRequests` and `inputResponses`. */
const question = 'arguments'

/** A result that asks the client, as JSON text. */
export class InputRequired {
  readonly text: string
  constructor(inputRequests: JsonObject, more: string) {
    this.text = `{"resultType":"input_required","inputRequests":${jsonText(inputRequests)}${more}}`
  }
}

/** Returns the answers of the person in a repeated request; undefined if there are none, or the person declined. */
export function answersIn(params: JsonObject): JsonObject | undefined {
  const responses = params['inputResponses']
  const response = isObject(responses) ? responses[question] : undefined
  return isObject(response) && response['action'] === 'accept' && isObject(response['content']) ? response['content'] : undefined
}

/** Adds the answers to a call. They only fill required arguments that are missing. */
export function fillMissing({ site }: Admitted, call: Call, answers: JsonObject): Call {
  const action = site.registry.find(call.name)
  const filled = Object.entries(answers).filter(([name]) => action && missingNames(action, call).includes(name))
  return { ...call, input: { ...Object.fromEntries(filled), ...call.input } }
}

/**
 * Returns the question that would help a failed call; undefined if none would, or the client can't ask.
 * @param more members of every result of the era, with a comma before each
 */
export async function askClient(
  admitted: Admitted,
  params: JsonObject,
  call: Call,
  failure: Failure,
  more: string,
): Promise<InputRequired | undefined> {
  const { site } = admitted
  const action = site.registry.find(call.name)
  if (!action || failure.code !== 'invalid' || !isObject(clientCapabilities(params)?.['elicitation'])) return undefined
  const names = missingNames(action, call)
  const before = answersIn(params) ?? {}
  // A person who declined or left the form empty is not asked again.
  if (isObject(params['inputResponses']) && Object.keys(before).length === 0) return undefined
  if (!names.includes(failure.detail.field ?? '') || names.some((name) => Object.hasOwn(before, name))) return undefined
  // The count is asked for last, when the other arguments are known.
  const fields = names.filter((name) => name !== 'expect' || names.length === 1)
  const properties: Record<string, JsonObject> = {}
  for (const name of fields) {
    const form = formOf(action.input.properties[name] as JsonObject | undefined)
    if (!form || action.secrets?.includes(name)) return undefined
    properties[name] = form
  }
  const count = fields.includes('expect') ? await countOf(admitted, call) : undefined
  const message = count === undefined ? `${callName(action)} needs more: ${action.summary}` : confirmationText(action, count)
  const requestedSchema = { type: 'object', properties, required: fields }
  return new InputRequired(
    { [question]: { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } } },
    more,
  )
}

const missingNames = ({ input: { required } }: Action, { input }: Call): readonly string[] =>
  (required as readonly string[] | undefined)?.filter((name) => !Object.hasOwn(input, name)) ?? []

/** The members of a schema that a form of the protocol may have. */
const formMembers = ['type', 'enum', 'minLength', 'maxLength', 'minimum', 'maximum', 'description', 'title'] as const

/** Returns the field of a form for a schema; undefined for a value that no form can give. */
function formOf(schema: JsonObject | undefined): JsonObject | undefined {
  const choices = schema?.['enum']
  const type = Array.isArray(choices) && choices.every((one) => typeof one === 'string') ? 'string' : schema?.['type']
  if (!schema || !['string', 'integer', 'number', 'boolean'].includes(String(type))) return undefined
  const kept = formMembers.filter((name) => schema[name] !== undefined).map((name) => [name, schema[name]] as const)
  return { ...Object.fromEntries(kept), type }
}

/** Counts what a call would affect: the conflict of a dry run with an impossible `expect` has the number. */
async function countOf(admitted: Admitted, call: Call): Promise<number | undefined> {
  const input = { ...call.input, expect: Number.MAX_SAFE_INTEGER }
  const outcome = await runCall(admitted, { ...call, input, options: { ...call.options, dryRun: true } })
  return !outcome.ok && typeof outcome.failure.detail.expected === 'number' ? outcome.failure.detail.expected : undefined
}

const confirmationText = (action: Action, count: number): string =>
  `${callName(action)} would affect ${count} in all${action.effect === 'destroy' ? ', for good' : ''}. To let it happen, give ${count} as "expect".`
