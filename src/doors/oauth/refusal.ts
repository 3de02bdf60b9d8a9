// OAuth errors for programs: the codes of the RFCs, in JSON. Refusals are values and not exceptions, so that the surrounding
// transaction commits.

import { openHeaders } from '../shared/cors.ts'
import { json, type Reply } from '../../http/reply.ts'

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

export class Refusal {
  readonly code: RefusalCode
  readonly description: string

  constructor(code: RefusalCode, description: string) {
    this.code = code
    this.description = description
  }
}

/** A refusal as a reply: 401 for an unknown client, so that it registers again, else 400. */
export function refusalReply({ code, description }: Refusal): Reply {
  return json(code === 'invalid_client' ? 401 : 400, { error: code, error_description: describe(description) }, openHeaders)
}

/** Limits a text to the characters that an `error_description` may have. @see RFC 6749 §5.2 */
export const describe = (text: string): string =>
  text
    .replaceAll('"', "'")
    .replaceAll('\\', '/')
    .replace(/[^\x20-\x7e]/g, '?')
