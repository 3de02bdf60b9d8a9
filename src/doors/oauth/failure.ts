// Failures below the OAuth protocol: JSON with a code of the RFC for programs, a page for browsers.

import { openHeaders } from '../shared/cors.ts'
import type { HttpCode, HttpFailure } from '../../http/failure.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import { failurePage } from './authorize-answer.ts'
import { oauthPaths } from './paths.ts'
import { describe } from './refusal.ts'

/** The OAuth code for each HTTP failure. */
const failureCodes: Readonly<Record<HttpCode, string>> = {
  malformed: 'invalid_request',
  forbidden: 'access_denied',
  not_found: 'not_found',
  wrong_method: 'invalid_request',
  timeout: 'invalid_request',
  too_large: 'invalid_request',
  unsupported: 'invalid_request',
  expectation_failed: 'invalid_request',
  wrong_host: 'invalid_request',
  rate_limited: 'temporarily_unavailable',
  headers_too_large: 'invalid_request',
  client_left: 'invalid_request',
  failed: 'server_error',
  unavailable: 'temporarily_unavailable',
}

/** The known facts about the request that failed. */
interface About {
  readonly request?: Pick<Request, 'path' | 'header'> | undefined
  readonly path?: string | undefined
}

/** A failure in the form of this door. @see RFC 6749 §5.2 */
export function oauthFailure(failure: HttpFailure, about: About): Reply {
  if (isForPerson(about)) return failurePage(failure)
  const { status, code, message, headers, copy } = failure
  const description = describe(copy === undefined ? message : `${message} ${copy}`)
  return json(status, { error: failureCodes[code], error_description: description }, { ...headers, ...openHeaders })
}

/**
 * True if the answer is for a person. The authorization endpoint is for browsers; a client that accepts JSON and not HTML gets
 * JSON.
 */
function isForPerson({ request, path = '' }: About): boolean {
  if ((request?.path ?? path).replace(/\/$/, '') !== oauthPaths.authorize.path) return false
  const accept = request?.header('accept')?.toLowerCase() ?? ''
  return !accept.includes('application/json') || accept.includes('text/html')
}
