// The silence of old releases: an answer that held a lone surrogate could not be encoded, and went out as 200 with nothing in it.

import { empty, type Reply } from '../http/reply.ts'
import { jsonText } from '../json.ts'
import type { Release } from '../release.ts'

/**
 * The reply to a request, or nothing where its release could not have told it. Every lone surrogate in an answer came with the request,
 * and is U+FFFD by the time that the answer is text.
 * @param asked what came, as JSON
 */
export function silenced({ badUtf8Answer }: Release, asked: unknown, reply: Reply): Reply {
  if (badUtf8Answer !== 'empty' || reply.body === undefined || !('text' in reply.body)) return reply
  const mute = reply.body.text.includes('\ufffd') && jsonText(asked) !== JSON.stringify(asked)
  return mute ? empty(200, reply.headers) : reply
}
