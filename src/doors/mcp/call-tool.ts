// Runs one of the three tools. Each calls an action. Its answer is the same as that of `/api/`, as text and as structured content.

import type { Action } from '../../actions/call/action.ts'
import type { Call, Outcome } from '../../actions/call/call.ts'
import { dottedName } from '../../actions/call/registry.ts'
import type { WriteWarning } from '../../actions/call/write-answer.ts'
import { type Admitted, runCall } from '../shared/admit.ts'
import { hasAllParts } from '../shared/profiles/protocol-parts.ts'
import { readMembers } from '../shared/read-call.ts'
import { TextReading } from '../shared/read-texts.ts'
import { Failure, invalid } from '../../base/failure.ts'
import { isObject, type JsonObject, jsonText, JsonText } from '../../base/json.ts'
import { didYouMean, nearDetail } from '../../base/nearest.ts'
import { type Soon, whenThere } from '../../base/soon.ts'
import { answersIn, askClient, type InputRequired, fillMissing } from './ask-client.ts'
import { RpcError, rpcCodes, shown } from './rpc.ts'
import type { ToolName } from './tools.ts'

/** Makes a call from the arguments of a tool. @throws Failure `invalid` */
type ReadCall = (input: JsonObject, reading: TextReading) => Call

const calls: ReadonlyMap<string, ReadCall> = new Map<ToolName, ReadCall>([
  ['SVC_API__list-actions', (input) => ({ name: 'SVC_API.list-actions', input, options: {} })],
  ['SVC_API__describe-action', (input) => ({ name: 'SVC_API.describe-action', input, options: {} })],
  ['SVC_API__call-action', readCall],
])

/**
 * Runs `tools/call`. Returns the members of its result as JSON text, without the braces. An unknown tool is a protocol error; any
 * other failure is the answer of the tool.
 * @param asks the rest of a question to the client (ask-client.ts); undefined in an era without questions
 */
export function callTool(admitted: Admitted, params: JsonObject, asks?: string): Soon<string | InputRequired | RpcError> {
  const reading = new TextReading(admitted)
  const parsed = parseToolCall(params, reading)
  if (parsed instanceof RpcError) return parsed
  if (parsed instanceof Failure) return failureAnswer(parsed)
  const answers = asks === undefined ? undefined : answersIn(params)
  const call = answers ? fillMissing(admitted, parsed, answers) : parsed
  const action = admitted.site.registry.find(call.name)
  return whenThere(runCall(admitted, call, reading), (outcome) => {
    if (outcome.ok) return successOf(admitted, outcome, action)
    const failed = toServerError(outcome.failure) ?? failureAnswer(outcome.failure)
    return asks === undefined || outcome.failure.code !== 'invalid'
      ? failed
      : askClient(admitted, params, call, outcome.failure, asks).then((question) => question ?? failed)
  })
}

function successOf(admitted: Admitted, { data, warnings }: Extract<Outcome, { ok: true }>, action: Action | undefined): string {
  if (action?.shows !== undefined) return pictureAnswer(data, action.shows, warnings)
  if (action?.links !== undefined && knowsLinks(admitted)) return linkAnswer(data, action.links, warnings)
  return successAnswer(data, warnings)
}

/** True for a client whose revision has links in results. @see MCP 2025-06-18, Tools */
const knowsLinks = ({ site, request }: Admitted): boolean =>
  hasAllParts(site) && (request.header('mcp-protocol-version')?.trim() ?? '') >= '2025-06-18'

/**
 * The answer of an action with an address that a person opens. The link follows the text, which some clients read as the first
 * item.
 */
function linkAnswer(data: JsonText, member: string, warnings?: readonly WriteWarning[]): string {
  const answer = successAnswer(data, warnings)
  const uri = (data.parse() as JsonObject)[member]
  if (typeof uri !== 'string') return answer
  const link = jsonText({ type: 'resource_link', uri, name: 'preview', title: 'Preview', mimeType: 'text/html' })
  return answer.replace('],"structuredContent":', () => `,${link}],"structuredContent":`)
}

/** The error of a request that runs no action and that a plugin refused. */
export function refusedByPlugin(failure: Failure): RpcError {
  return new RpcError(rpcCodes.invalidRequest, failure.message, 200, failure)
}

/**
 * Parses the parameters of `tools/call`. An `RpcError` is for a tool that does not exist, a `Failure` for invalid arguments.
 */
export function parseToolCall(params: JsonObject, reading: TextReading): Call | Failure | RpcError {
  const { name } = params
  if (typeof name !== 'string') return new RpcError(rpcCodes.invalidParams, 'Invalid params: "name" must be the name of a tool.')
  const readArguments = calls.get(name)
  if (readArguments) return readInput(readArguments, params['arguments'] ?? {}, reading)
  const near = [...calls.keys()].find((one) => inWords(one).endsWith(inWords(name)))
  if (near !== undefined) return new RpcError(rpcCodes.invalidParams, `Unknown tool: ${shown(name)}. Did you mean ${near}?`)
  const action = (/^\w+\.[\w-]+$/.test(name) ? name : dottedName(name)) ?? reading.nearestTo(name)[0]
  const hint = action === undefined ? '' : `. Call SVC_API__call-action with ${readyCall(action, params['arguments'])}`
  return new RpcError(rpcCodes.invalidParams, `Unknown tool: ${shown(name)}${hint}`)
}

/** Returns a name in lower case, with hyphens between its words. */
const inWords = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '-')

/** The most characters of arguments that a message repeats. */
const maxRepeated = 400

/** Returns the arguments of `call-action` for an action that was called as a tool. Whether there is such an action is not said. */
function readyCall(action: string, given: unknown): string {
  const input = isObject(given) && Object.keys(given).length > 0 ? jsonText(given) : ''
  const repeated = input.length > maxRepeated ? '{…}' : input
  return `{"action": ${jsonText(shown(action))}${repeated === '' ? '' : `, "arguments": ${repeated}`}}`
}

/** Turns the failure of a broken plugin into an error of the server: the tool and its arguments are not at fault. */
function toServerError(failure: Failure): RpcError | undefined {
  return failure.code === 'failed' && failure.detail.plugin !== undefined
    ? new RpcError(rpcCodes.internalError, failure.message, 500, failure)
    : undefined
}

function readInput(readArguments: ReadCall, input: unknown, reading: TextReading): Call | Failure {
  if (!isObject(input)) return invalid('arguments', '"arguments" must be an object.', 'an object')
  try {
    return readArguments(input, reading)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

function readCall(input: JsonObject, reading: TextReading): Call {
  const call = readMembers(input, reading)
  if (call) return call
  const near = reading.nearestTo(input['action'])
  throw new Failure('invalid', `Name an action with its class.${didYouMean(near)}`, {
    field: 'action',
    expected: 'such as "SVC_Content.get", or "get" with "class": "SVC_Content"',
    ...nearDetail(near),
    hint: 'SVC_API__list-actions lists what you may call.',
  })
}

/** The answer of a tool that succeeded. The data may be large, so it is quoted once and reused. */
export function successAnswer(data: JsonText, warnings?: readonly WriteWarning[]): string {
  if (warnings !== undefined) return warnedAnswer(data, warnings)
  const quoted = `"{\\"success\\":true,\\"data\\":${data.quoted.slice(1, -1)}}"`
  return `"content":[{"type":"text","text":${quoted}}],"structuredContent":{"success":true,"data":${data.text}}`
}

function warnedAnswer(data: JsonText, warnings: readonly WriteWarning[]): string {
  const { text, quoted } = new JsonText(`{"success":true,"data":${data.text},"warnings":${jsonText(warnings)}}`)
  return `"content":[{"type":"text","text":${quoted}}],"structuredContent":${text}`
}

/**
 * The answer of an action that may show an image. The image is a separate content item, and the rest of the answer only says that
 * it exists.
 */
function pictureAnswer(data: JsonText, shows: string, warnings?: readonly WriteWarning[]): string {
  const answer = data.parse() as Readonly<Record<string, unknown>>
  const { mime_type: mimeType, base64 } = (answer[shows] ?? {}) as { readonly mime_type?: string; readonly base64?: string }
  if (mimeType === undefined || base64 === undefined) return successAnswer(data, warnings)
  const rest = successAnswer(new JsonText(jsonText({ ...answer, [shows]: { mime_type: mimeType } })), warnings)
  const image = jsonText({ type: 'image', data: base64, mimeType })
  return rest.replace('"content":[', () => `"content":[${image},`)
}

/** The answer of a tool that failed, with the object that `/api/` also returns. */
export function failureAnswer(failure: Failure): string {
  const { text, quoted } = new JsonText(jsonText({ success: false, error: failure }))
  return `"content":[{"type":"text","text":${quoted}}],"structuredContent":${text},"isError":true`
}
