// Texts as bytes, for replies and files that are written in pieces.

const pieceChars = 64 * 1024

/** Yields texts joined to larger ones, and lets others have their turn between them. */
export async function* inPieces(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let piece = ''
  for await (const text of texts) {
    piece += text
    if (piece.length < pieceChars) continue
    yield piece
    piece = ''
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (piece !== '') yield piece
}

/** Yields the bytes of texts. */
export async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text)
}

const blockBytes = 64 * 1024

/** Yields small parts joined to larger ones. Written one by one, the parts of a small file cost more than its content. */
export async function* inBlocks(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let bytes = 0
  for await (const part of parts) {
    held.push(part)
    bytes += part.byteLength
    if (bytes < blockBytes) continue
    yield held.length === 1 ? part : Buffer.concat(held)
    held = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(held)
}
