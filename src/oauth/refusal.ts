// How sign-in says no to a program: the codes of the RFCs, in JSON. Refusals are values, so that what was decided before them stands.

import { openHeaders } from '../doors/cors.ts'
import type { HttpCode, HttpFailure } from '../http/failure.ts'
import { json, type Reply } from '../http/reply.ts'

/** RFC 6749 §4.1.2.1 and §5.2, RFC 7591 §3.2.2, RFC 8707 §2. */
export type RefusalCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'

/** A refusal with its sentence. */
export class Refusal {
  readonly code: RefusalCode
  readonly description: string

  constructor(code: RefusalCode, description: string) {
    this.code = code
    this.description = description
  }
}

/** A refusal as an answer: 401 where the client itself is unknown, so that it registers anew, else 400. */
export function refusalReply({ code, description }: Refusal): Reply {
  return json(code === 'invalid_client' ? 401 : 400, { error: code, error_description: describe(description) }, openHeaders)
}

/** What the protocol calls a failure below it. */
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

/** The form in which this door says no. @see RFC 6749 §5.2 */
export function oauthFailure({ status, code, message, headers }: HttpFailure): Reply {
  return json(status, { error: failureCodes[code], error_description: describe(message) }, { ...headers, ...openHeaders })
}

/** The characters that an `error_description` may have. @see RFC 6749 §5.2 */
const describe = (text: string): string =>
  text
    .replaceAll('"', "'")
    .replaceAll('\\', '/')
    .replace(/[^\x20-\x7e]/g, '?')
