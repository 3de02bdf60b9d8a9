// The two eras of the protocol: the era of a message, and the headers that each era requires.

import { isObject, type JsonObject } from '../../base/json.ts'
import type { Notification, RpcRequest } from './message.ts'
import { includes, initializeRevisions, isStandalone, standaloneRevisions } from './revision.ts'
import { RpcError, rpcCodes, shown } from './rpc.ts'

export type Era = 'initialize' | 'standalone'

/** The three headers that repeat parts of the request body, trimmed. */
export interface MirrorHeaders {
  readonly revision: string | undefined
  readonly method: string | undefined
  readonly name: string | undefined
}

const revisionKey = 'io.modelcontextprotocol/protocolVersion'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

/**
 * The era of a message. It is the newer one if the header names its first revision or a later one, or if `_meta` names any
 * revision.
 */
export function eraOf({ revision }: MirrorHeaders, { params }: RpcRequest | Notification): Era {
  return (revision !== undefined && isStandalone(revision)) || metaOf(params)?.[revisionKey] !== undefined
    ? 'standalone'
    : 'initialize'
}

/** The capabilities that a request of the newer era declares for its client. */
export function clientCapabilities(params: JsonObject): JsonObject | undefined {
  const capabilities = metaOf(params)?.[capabilitiesKey]
  return isObject(capabilities) ? capabilities : undefined
}

function metaOf(params: JsonObject): JsonObject | undefined {
  const meta = params['_meta']
  return isObject(meta) ? meta : undefined
}

/**
 * Finds the fault of a request of the newer era. It checks in this order: `_meta`, the headers that must repeat it, the revision.
 * @see MCP 2026-07-28, basic and transports
 */
export function standaloneFault(headers: MirrorHeaders, request: RpcRequest): RpcError | undefined {
  const meta = metaOf(request.params) ?? {}
  const asked = meta[revisionKey]
  if (typeof asked !== 'string') return invalidMeta(revisionKey, 'a protocol revision')
  if (!isObject(meta[capabilitiesKey])) return invalidMeta(capabilitiesKey, 'an object')
  if (headers.revision !== asked) return mismatch('MCP-Protocol-Version', headers.revision, asked)
  if (!includes(standaloneRevisions, asked)) {
    const data = { supported: standaloneRevisions, requested: asked }
    return new RpcError(rpcCodes.unsupportedRevision, 'Unsupported protocol version', 400, data)
  }
  if (headers.method !== request.method) return mismatch('Mcp-Method', headers.method, request.method)
  return nameFault(headers.name, request)
}

/** The parameter that a request's `Mcp-Name` repeats. */
const namedBy: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

function nameFault(header: string | undefined, { method, params }: RpcRequest): RpcError | undefined {
  const member = Object.hasOwn(namedBy, method) ? namedBy[method] : undefined
  const name = member === undefined ? undefined : params[member]
  if (typeof name !== 'string') return undefined
  return header !== undefined && decodeName(header) === name ? undefined : mismatch('Mcp-Name', header, name)
}

/**
 * Decodes the name in an `Mcp-Name` header. Names beyond ASCII have the form `=?base64?…?=`. Undefined if that is not base64 of
 * UTF-8.
 */
export function decodeName(header: string): string | undefined {
  const coded = /^=\?base64\?(.*)\?=$/.exec(header)?.[1]
  if (coded === undefined) return header
  const bytes = Buffer.from(coded, 'base64')
  const name = bytes.toString('utf8')
  return bytes.toString('base64') === coded && Buffer.from(name).equals(bytes) ? name : undefined
}

/**
 * Finds the fault in the header of a message of the older era. `initialize` negotiates the revision, so its header does not count.
 */
export function initializeFault({ revision }: MirrorHeaders, { method }: RpcRequest | Notification): RpcError | undefined {
  if (revision === undefined || method === 'initialize' || includes(initializeRevisions, revision)) return undefined
  const spoken = [...initializeRevisions, ...standaloneRevisions].join(', ')
  return new RpcError(
    rpcCodes.invalidRequest,
    `MCP-Protocol-Version names ${shown(revision)}; this server supports ${spoken}.`,
    400,
  )
}

const invalidMeta = (key: string, expected: string): RpcError =>
  new RpcError(rpcCodes.invalidParams, `Invalid params: _meta must hold ${key}, ${expected}.`, 400)

function mismatch(name: string, sent: string | undefined, inBody: string): RpcError {
  const said = sent === undefined ? 'is missing' : `is ${shown(sent)}`
  return new RpcError(rpcCodes.headerMismatch, `The header ${name} ${said}; by the body it must be ${shown(inBody)}.`, 400)
}
