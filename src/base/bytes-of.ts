// Texts as bytes, for replies and files that are written in pieces.

/** Yields the bytes of texts. */
export async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text)
}
