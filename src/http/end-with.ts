// Ends an answer with its body in a single write. Node's own `end(body)` passes two or three pieces to the system (head, body,
// and an empty one). Allocating and copying them costs more than the system call itself, for an answer of a few kilobytes.

import type { ServerResponse } from 'node:http'

/**
 * The largest answer to write as one piece. Node writes a text up to 16 KiB from its stack, and would copy a longer one once
 * more.
 */
const maxBytes = 15 * 1024

/** The part of an answer that Node stores between `writeHead` and the first write: the head as text, to which the body is added. */
interface Head {
  _header?: unknown
  readonly _headerSent?: unknown
}

/**
 * Ends an answer whose head was given to `writeHead`, with a `content-length`. If Node stores the head in another form, this is
 * `response.end(body)`.
 * @param bytes the length of the body in UTF-8
 */
export function endWith(response: ServerResponse, body: string | Uint8Array, bytes: number): void {
  if (body.length === 0) return void response.end()
  const kept = response as ServerResponse & Head
  // oxlint-disable-next-line no-underscore-dangle
  const head = kept._headerSent === false ? kept._header : undefined
  if (typeof head !== 'string' || head.length + bytes > maxBytes) return void response.end(body)
  // The head is written as latin1, one byte per character.
  // oxlint-disable-next-line no-underscore-dangle
  kept._header = head + bytesAsText(body, bytes)
  response.end()
}

/** A text with one character per byte. A text with as many characters as bytes is ASCII, and already has that form. */
function bytesAsText(body: string | Uint8Array, bytes: number): string {
  if (typeof body === 'string') return body.length === bytes ? body : Buffer.from(body).toString('latin1')
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
}
