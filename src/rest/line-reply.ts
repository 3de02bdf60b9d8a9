// The form of every answer of `/api/`: one line of JSON. In a shell the prompt then stands on a line of its own, and `while read` sees the last line.

import { type Headers, jsonReply, type Reply } from '../http/reply.ts'

/** JSON text and a newline. The text is joined, not copied: a long answer costs no more for it. */
export function lineReply(status: number, text: string, headers: Headers): Reply {
  return jsonReply(status, `${text}\n`, headers)
}
