// Invalid text in old release profiles. Release 0.11 replaced invalid bytes; older releases answered 200 with an empty body.
// Release 1 refuses the request and names the byte. An answer never has a lone surrogate.

import { decodeUtf8 } from '../../../http/body.ts'
import { empty, type Headers, type Reply } from '../../../http/reply.ts'
import { jsonText } from '../../../base/json.ts'
import type { Release } from '../../../base/release.ts'
import { type Soon, whenThere } from '../../../base/soon.ts'

/**
 * The text of a request body, the offset of its first invalid byte, or `unanswered` if the release's answer to such a body is
 * empty.
 */
export type DecodedBody = ReturnType<typeof decodeUtf8> | 'unanswered'

/** Decodes a request body as the release does. */
export function decodeBody({ badUtf8Request }: Release, bytes: Uint8Array): DecodedBody {
  const decoded = decodeUtf8(bytes, badUtf8Request === 'replace' ? 'replace' : 'strict')
  return 'badByteAt' in decoded && badUtf8Request === 'empty' ? 'unanswered' : decoded
}

/** The reply to a body that `decodeBody` calls `unanswered`. */
export const unanswered = (headers: Headers): Reply => empty(200, headers)

/**
 * The reply to a request. Up to 0.10 an answer with a lone surrogate could not be encoded, so it becomes an empty one. Every lone
 * surrogate in an answer came with the request, and becomes U+FFFD in the answer's text.
 * @param sent the request body, as a JSON value
 */
export function withoutSurrogates({ badUtf8Answer }: Release, sent: unknown, reply: Soon<Reply>): Soon<Reply> {
  return badUtf8Answer === 'empty' ? whenThere(reply, (made) => emptyForSurrogates(sent, made)) : reply
}

function emptyForSurrogates(sent: unknown, reply: Reply): Reply {
  if (reply.body === undefined || !('text' in reply.body)) return reply
  const heldSurrogate = reply.body.text.includes('\ufffd') && jsonText(sent) !== JSON.stringify(sent)
  return heldSurrogate ? empty(200, reply.headers) : reply
}
