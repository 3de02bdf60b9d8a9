// Digests of bytes that are too many to hold.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

const partBytes = 512 * 1024

/** Returns the SHA-256 of a whole file, in hex. @throws the reason of the signal once it is aborted */
export const hashFile = (path: string, signal?: AbortSignal): Promise<string> =>
  hashParts(createReadStream(path, { highWaterMark: partBytes }) as AsyncIterable<Uint8Array>, signal)

/** Returns the SHA-256 of bytes in parts, in hex. @throws the reason of the signal once it is aborted */
export async function hashParts(parts: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of parts) {
    signal?.throwIfAborted()
    hash.update(part)
  }
  return hash.digest('hex')
}
