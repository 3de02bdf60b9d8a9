// JSON-RPC responses as text. Results are already text, so a response is concatenated and no value is serialised twice.

import { cutText } from '../../base/cut-text.ts'
import { jsonText } from '../../base/json.ts'
import type { Id } from './message.ts'

/** Error codes of JSON-RPC 2.0 §5.1 and of MCP. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** No such resource, up to MCP 2025-11-25. */
  resourceNotFound: -32002,
  /** The 401 of `/mcp/`. */
  unauthorized: -32001,
  /** MCP 2026-07-28: a header is missing or differs from the request body. */
  headerMismatch: -32020,
  /** MCP 2026-07-28: a revision that this server does not support. */
  unsupportedRevision: -32022,
} as const

/** An error, and the HTTP status of a response with only this error. */
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

/** `{"jsonrpc":"2.0","id":…,"result":…}`, with the result as JSON text. */
export function resultText(id: Id, result: string): string {
  return `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : jsonText(id)},"result":${result}}`
}

/** `{"jsonrpc":"2.0","error":{…},"id":…}` */
export function errorText(id: Id, { code, message, data }: RpcError): string {
  return jsonText({ jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id })
}

/** Cuts text from a client to a length that fits a sentence. */
export function shown(text: string): string {
  return cutText(text, 100)
}
