// Paths that more than one door uses, and the base of every address of this site.

import type { Request } from '../../http/request.ts'

/** The MCP endpoint. `/mcp` without the slash is the same resource. */
export const mcpPath = '/mcp/'

/** The REST endpoint. */
export const apiPath = '/api/'

/** The document that the challenge of `/mcp/` points to. @see RFC 9728 */
export const protectedResourcePath = '/.well-known/oauth-protected-resource'

/**
 * Origin and base path for links in the answer to a request, without a slash at the end: `https://example.org/blog`. This is also
 * the OAuth issuer.
 */
export function baseOf(request: Pick<Request, 'scheme' | 'host' | 'basePath'>): string {
  return `${request.scheme}://${request.host}${request.basePath}`
}
