// Reads the body of an answer from another machine: decompressed, and never more than the limit, regardless of the announced
// length.

import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** The `Accept-Encoding` of every request. Answers may use any encoding in `decoders`. */
export const acceptEncoding = 'gzip, br'

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
}

/** No honest server compresses twice; a thousand encodings would cost a thousand decoders (attack 118). */
const maxEncodings = 1

/** Receives a body in parts, so that a large one is never in memory as a whole. */
export type BodySink = (part: Uint8Array) => Promise<void>

/**
 * Reads a body to its end.
 * @param encodings the `content-encoding` as it came
 * @param sink receives the parts; without it the whole body is returned
 * @throws Error if the body is longer than `maxBytes`, compressed or decompressed, or has an unknown encoding
 */
export async function readAnswer(
  body: Readable,
  encodings: string | undefined,
  maxBytes: number,
  sink?: BodySink,
): Promise<Uint8Array> {
  const names = (encodings ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const packed = names.filter((name) => name !== '' && name !== 'identity')
  if (packed.length > maxEncodings) throw new Error(`an answer packed ${packed.length} times`)
  const [name] = packed
  if (name === undefined) return collect(body, maxBytes, sink)
  const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined
  if (!decoder) throw new Error('an answer packed in an unknown way')
  // Compressed bytes count too: an endless compressed stream may decompress to nothing.
  return pipeline(
    body,
    (source: AsyncIterable<Uint8Array>) => counted(source, maxBytes),
    decoder(),
    (source: AsyncIterable<Uint8Array>) => collect(source, maxBytes, sink),
  )
}

async function collect(source: AsyncIterable<Uint8Array>, maxBytes: number, sink?: BodySink): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of counted(source, maxBytes)) {
    if (sink) await sink(part)
    else parts.push(part)
  }
  return Buffer.concat(parts)
}

async function* counted(source: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const part of source) {
    bytes += part.length
    if (bytes > maxBytes) throw new Error(`an answer of more than ${maxBytes} bytes`)
    yield part
  }
}
