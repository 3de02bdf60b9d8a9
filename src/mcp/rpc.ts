// JSON-RPC answers as text. Results come as text already, so an answer is put together and never made twice.

import { cutText } from '../cut-text.ts'
import { jsonText } from '../json.ts'
import type { Id } from './message.ts'

/** The codes in use here: those of JSON-RPC 2.0 §5.1, and of MCP. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** The 401 of `/mcp/` (INTERFACE.md "Errors"). */
  unauthorized: -32001,
  /** MCP 2026-07-28: headers missing, or unlike the body. */
  headerMismatch: -32020,
  /** MCP 2026-07-28: a revision that isn't spoken here. */
  unsupportedRevision: -32022,
} as const

/** An error answer, and the HTTP status that goes with it where it is the only one. */
export class RpcError {
  readonly code: number
  readonly message: string
  readonly status: number
  readonly data: unknown

  constructor(code: number, message: string, status = 200, data?: unknown) {
    this.code = code
    this.message = message
    this.status = status
    this.data = data
  }
}

/** `{"jsonrpc":"2.0","id":…,"result":…}`, of a result that is JSON text. */
export function resultText(id: Id, result: string): string {
  return `{"jsonrpc":"2.0","id":${idText(id)},"result":${result}}`
}

/** `{"jsonrpc":"2.0","error":{…},"id":…}` */
export function errorText(id: Id, { code, message, data }: RpcError): string {
  return jsonText({ jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id })
}

const idText = (id: Id): string => (typeof id === 'number' ? String(id) : jsonText(id))

/** A text of theirs in a sentence of ours: cut to what a person reads. */
export function shown(text: string): string {
  return cutText(text, 100)
}
