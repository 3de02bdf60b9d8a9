// Addresses that more than one door names: where each door stands below the base path, and how an address of this site is made.

import type { Request } from '../http/request.ts'

/** The MCP endpoint. Without its last slash it is the same resource. */
export const mcpPath = '/mcp/'

/** The REST endpoint. */
export const apiPath = '/api/'

/** RFC 9728: what the challenge of `/mcp/` points to. */
export const protectedResourcePath = '/.well-known/oauth-protected-resource'

/** Origin and base path that a request is to be told, without a slash at the end: `https://example.org/blog`. It is the issuer too. */
export function baseOf(request: Pick<Request, 'scheme' | 'host' | 'basePath'>): string {
  return `${request.scheme}://${request.host}${request.basePath}`
}
