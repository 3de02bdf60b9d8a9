// The beginning of a file, by which formats are recognised, and small files whole.

import { Failure } from '../../base/failure.ts'
import type { SourceFiles } from '../source-files.ts'

const headBytes = 8 * 1024

/** Returns the first 8 KiB of a file as text. */
export async function headOf(files: SourceFiles, path: string): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of files.open(path)) {
    parts.push(part)
    size += part.byteLength
    if (size >= headBytes) break
  }
  return decodeText(Buffer.concat(parts).subarray(0, headBytes))
}

/**
 * Returns a small file whole as text.
 * @throws Failure `too_large` for one of more than `maxBytes`
 */
export async function wholeText(files: SourceFiles, path: string, maxBytes: number): Promise<string> {
  const size = files.sizes.get(path) ?? 0
  if (size > maxBytes)
    throw new Failure(
      'too_large',
      `The file ${JSON.stringify(path)} has ${size} bytes, and ${maxBytes} are the most for its kind.`,
    )
  const parts: Uint8Array[] = []
  for await (const part of files.open(path)) parts.push(part)
  return decodeText(Buffer.concat(parts))
}

/** Decodes UTF-8, or UTF-16 with its byte order mark, without the mark. */
function decodeText(bytes: Buffer): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const charset = isUtf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8'
  return new TextDecoder(charset).decode(bytes)
}
