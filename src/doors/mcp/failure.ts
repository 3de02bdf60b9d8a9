// Refusals of `/mcp/` at the level of HTTP: a JSON-RPC error whose id is null, and the challenge that leads a client to the
// sign-in.

import { openHeaders } from '../shared/cors.ts'
import type { Credential } from '../shared/credential.ts'
import { baseOf, mcpPath, protectedResourcePath } from '../shared/paths.ts'
import type { HttpFailure } from '../../http/failure.ts'
import { type Headers, jsonReply, type Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import { errorText, RpcError, rpcCodes } from './rpc.ts'

/** An error as a whole reply, with the id null. */
export function errorReply(error: RpcError, headers: Headers = openHeaders): Reply {
  return jsonReply(error.status, errorText(null, error), headers)
}

/** A failure before there is a message: wrong host, too large, too slow, or an error in a handler. */
export function mcpFailure({ status, code, message, headers, reference, retryAfterSeconds }: HttpFailure): Reply {
  const rpcCode = status >= 500 ? rpcCodes.internalError : rpcCodes.invalidRequest
  const isMethod = code === 'wrong_method'
  const data = { code, retry_after: retryAfterSeconds, reference }
  const error = new RpcError(rpcCode, isMethod ? 'Send messages to this address by POST.' : message, status, data)
  return errorReply(error, { ...headers, ...openHeaders, ...(isMethod ? { allow: 'POST' } : {}) })
}

export const emptyBody = (status: number): RpcError => new RpcError(rpcCodes.parseError, 'Empty request body', status)

const unauthorized = new RpcError(rpcCodes.unauthorized, 'Authentication required. See WWW-Authenticate.', 401)

/**
 * The 401 that leads a client to the sign-in. `Bearer` is the only scheme, because clients read only the first one.
 * @see RFC 9728 §5.1, RFC 6750 §3
 */
export function challenge(request: Request, { presented }: Credential, error: RpcError = unauthorized): Reply {
  const { path } = request
  // Clients compare both: the document must name the endpoint in the form of the request, with or without the slash.
  const form = path.endsWith('/') ? '' : mcpPath.slice(0, -1)
  const parameters = [
    `resource_metadata="${baseOf(request)}${protectedResourcePath}${form}"`,
    'scope="admin"',
    ...(presented ? ['error="invalid_token"'] : []),
  ]
  return { ...errorReply(error, { ...openHeaders, 'www-authenticate': `Bearer ${parameters.join(', ')}` }), drain: true }
}
