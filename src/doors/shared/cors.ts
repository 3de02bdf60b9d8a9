// CORS. Doors with these headers read no cookies, so pages of any origin may call them; `Access-Control-Allow-Credentials`
// is never sent.

import { empty, type Headers, type Reply } from '../../http/reply.ts'
import type { Handler } from '../../http/route.ts'

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

/** The headers of every answer that pages of any origin may read. No cache may store such an answer. */
export const openHeaders: Headers = Object.freeze({
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders,
  'cache-control': 'no-store',
})

/** Creates the 204 for a preflight of any origin (attack 82). @see Fetch §3.3.3 */
export function preflight(methods: string): Handler {
  const reply: Reply = empty(204, {
    ...openHeaders,
    'access-control-allow-methods': methods,
    'access-control-allow-headers': allowedHeaders,
    'access-control-max-age': '86400',
  })
  return () => reply
}
