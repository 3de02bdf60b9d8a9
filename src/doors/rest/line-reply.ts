// The format of every answer of `/api/`: JSON and a newline. With the newline, a shell's prompt begins on a new line, and `while
// read` gets the last line.

import { type Headers, jsonReply, type Reply } from '../../http/reply.ts'

/** A reply of JSON text and a newline. Concatenation does not copy a long text. */
export function lineReply(status: number, text: string, headers: Headers): Reply {
  return jsonReply(status, `${text}\n`, headers)
}
