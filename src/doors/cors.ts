// What pages of other origins may do here: everything that needs no cookie, since these doors read none. Credentials are never allowed.

import { empty, type Headers, type Reply } from '../http/reply.ts'
import type { Handler } from '../http/route.ts'

/** Request headers that MCP clients send from a browser. */
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Accept',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
  'Last-Event-ID',
].join(', ')

const exposedHeaders = [
  'WWW-Authenticate',
  'MCP-Protocol-Version',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
].join(', ')

/** On every answer of a door that any page may read; nothing that it says is to be kept. */
export const openHeaders: Headers = Object.freeze({
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders,
  'cache-control': 'no-store',
})

/** Answers a preflight: 204, before anything is asked of the caller (attack 82). @see Fetch §3.3.3 */
export function preflight(methods: string): Handler {
  const reply: Reply = empty(204, {
    ...openHeaders,
    'access-control-allow-methods': methods,
    'access-control-allow-headers': allowedHeaders,
    'access-control-max-age': '86400',
  })
  return () => reply
}
