// Reads a large file in parts, through one buffer.

const partBytes = 512 * 1024

/** Bytes that can be read at any position: a file, or the contents of a sealed file. */
export interface Positioned {
  read(memory: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>
}

/**
 * Reads `bytes` bytes from position `at`, or fewer if the file ends earlier. All parts share one buffer, so a part is valid only
 * until the next one is requested.
 */
export async function* readParts(file: Positioned, at: number, bytes: number): AsyncGenerator<Buffer, void> {
  const memory = Buffer.allocUnsafeSlow(Math.min(partBytes, bytes))
  for (let done = 0; done < bytes;) {
    const { bytesRead } = await file.read(memory, 0, Math.min(memory.length, bytes - done), at + done)
    if (bytesRead === 0) return
    yield memory.subarray(0, bytesRead)
    done += bytesRead
  }
}
