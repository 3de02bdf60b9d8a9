// Runs one of the three tools: each is a call of an action, and answers what `/api/` answers, as text and as structured content.

import type { Call } from '../actions/call.ts'
import { optionNames, readOptions } from '../actions/options.ts'
import { dottedName } from '../actions/registry.ts'
import type { Services } from '../actions/services.ts'
import { parseCallName } from '../doors/call.ts'
import { askBeforeMethod, runCall } from '../doors/plugin-path.ts'
import { Failure } from '../failure.ts'
import type { Request } from '../http/request.ts'
import type { Caller } from '../identity/caller.ts'
import { isObject, type JsonObject, jsonText, JsonText } from '../json.ts'
import { RpcError, rpcCodes, shown } from './rpc.ts'
import type { ToolName } from './tools.ts'

/** Reads a tool's arguments as a call. @throws Failure `invalid` */
type ReadCall = (input: JsonObject) => Call

const calls: ReadonlyMap<string, ReadCall> = new Map<ToolName, ReadCall>([
  ['SVC_API__list-actions', (input) => ({ name: 'SVC_API.list-actions', input, options: {} })],
  ['SVC_API__describe-action', (input) => ({ name: 'SVC_API.describe-action', input, options: {} })],
  ['SVC_API__call-action', readCall],
])

/** Runs `tools/call`: the members of its result as text, without the braces. A tool that isn't there is an error of the protocol; all else that goes wrong is the tool's answer. */
export async function callTool(site: Services, caller: Caller, request: Request, params: JsonObject): Promise<string | RpcError> {
  const call = readTool(params)
  if (call instanceof RpcError || call instanceof Failure) {
    const refused = await askBeforeMethod(site, caller, 'tools/call')
    if (call instanceof RpcError) return refused ? refusedByPlugin(refused) : call
    return failureAnswer(refused ?? call)
  }
  const outcome = await runCall(site, caller, call, request)
  if (outcome.ok) return successAnswer(outcome.data)
  return brokeInPlugin(outcome.failure) ?? failureAnswer(outcome.failure)
}

/** The error of a request that a plugin refused and that is no call of an action. */
export function refusedByPlugin(failure: Failure): RpcError {
  return new RpcError(rpcCodes.invalidRequest, failure.message, 200, failure)
}

function readTool(params: JsonObject): Call | Failure | RpcError {
  const { name } = params
  if (typeof name !== 'string') return new RpcError(rpcCodes.invalidParams, 'Invalid params: "name" must be the name of a tool.')
  const readArguments = calls.get(name)
  if (readArguments) return readInput(readArguments, params['arguments'] ?? {})
  const action = dottedName(name)
  const hint = action === undefined ? '' : `. Call SVC_API__call-action with "action": ${JSON.stringify(shown(action))}.`
  return new RpcError(rpcCodes.invalidParams, `Unknown tool: ${shown(name)}${hint}`)
}

/** A plugin's fatal is no answer of a tool: it is told as an error of the server (DESIGN.md "Release profiles"). */
function brokeInPlugin(failure: Failure): RpcError | undefined {
  return failure.code === 'failed' && failure.detail.plugin !== undefined
    ? new RpcError(rpcCodes.internalError, failure.message, 500, failure)
    : undefined
}

function readInput(readArguments: ReadCall, input: unknown): Call | Failure {
  if (!isObject(input))
    return new Failure('invalid', '"arguments" must be an object.', { field: 'arguments', expected: 'an object' })
  try {
    return readArguments(input)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

const callMembers: ReadonlySet<string> = new Set(['class', 'action', 'arguments', ...optionNames])

function readCall(input: JsonObject): Call {
  const unknown = Object.keys(input).find((name) => !callMembers.has(name))
  if (unknown !== undefined) {
    throw new Failure('invalid', `SVC_API__call-action takes no argument ${JSON.stringify(shown(unknown))}.`, {
      field: shown(unknown),
      expected: `it takes ${[...callMembers].join(', ')}`,
      hint: "Put the action's own arguments into `arguments`.",
    })
  }
  const name = parseCallName(input['class'], input['action'])
  if (name === undefined) {
    throw new Failure('invalid', 'Name an action with its class.', {
      field: 'action',
      expected: 'such as "SVC_Content.get", or "get" with "class": "SVC_Content"',
      hint: 'SVC_API__list-actions tells what you may call.',
    })
  }
  const given = input['arguments'] ?? {}
  if (!isObject(given))
    throw new Failure('invalid', '"arguments" must be an object.', { field: 'arguments', expected: 'an object' })
  return { name, input: given, options: readOptions(input) }
}

/** Both forms wrap the data in `{"success":true,"data":…}`; the quoted one reuses what was quoted before. */
export function successAnswer(data: JsonText): string {
  const quoted = `"{\\"success\\":true,\\"data\\":${data.quoted.slice(1, -1)}}"`
  return `"content":[{"type":"text","text":${quoted}}],"structuredContent":{"success":true,"data":${data.text}}`
}

/** The answer of a tool that failed, with the object that `/api/` answers. */
export function failureAnswer(failure: Failure): string {
  const { text, quoted } = new JsonText(jsonText({ success: false, error: failure }))
  return `"content":[{"type":"text","text":${quoted}}],"structuredContent":${text},"isError":true`
}
