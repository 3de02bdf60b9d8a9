// The bytes of a reply for readers within the program.

import type { Body } from './reply.ts'

/** Reads a body up to a limit, or to its end. A stream is cut at one of its parts. @throws Error for a stream of events */
export async function bodyBytes(body: Body, maxBytes = Infinity): Promise<Buffer> {
  if (body === undefined) return Buffer.alloc(0)
  if ('bytes' in body) return Buffer.from(body.bytes)
  if ('text' in body) return Buffer.from(body.text)
  if ('events' in body) throw new Error('A page is no stream of events.')
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body.stream) {
    size += part.byteLength
    if (size > maxBytes) break
    parts.push(part)
  }
  return Buffer.concat(parts)
}
