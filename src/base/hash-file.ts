// The digest of a file on disk.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

const partBytes = 512 * 1024

/** Returns the SHA-256 of a whole file, in hex. @throws the reason of the signal once it is aborted */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(path, { highWaterMark: partBytes })) {
    signal?.throwIfAborted()
    hash.update(part as Uint8Array)
  }
  return hash.digest('hex')
}
