// Decodes the bytes of a request body: UTF-8, strictly or with replacement, and JSON to a maximal depth. read-body.ts and
// stream-body.ts read the bytes.

import { isUtf8 } from 'node:buffer'
import { findJsonFault } from './json-fault.ts'

export type Decoded = { readonly text: string } | { readonly badByteAt: number }

/**
 * Decodes bytes as text, without a byte order mark. `strict` returns the offset of the first byte that is not UTF-8; `replace`
 * puts U+FFFD in place of invalid bytes, as the WHATWG decoder does.
 */
export function decodeUtf8(bytes: Uint8Array, mode: 'strict' | 'replace'): Decoded {
  if (mode === 'strict' && !isUtf8(bytes)) return { badByteAt: findBadByte(bytes) }
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return { text: buffer.toString('utf8', marked ? 3 : 0) }
}

/** The offset of the first byte of the first sequence that is not well-formed (Unicode table 3-7). */
function findBadByte(bytes: Uint8Array): number {
  let at = 0
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at)
    if (length === 0) return at
    at += length
  }
  return at
}

/** The length of the well-formed sequence at an offset; 0 if there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  if (first < 0xc2 || first > 0xf4) return 0
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  const [low, high] = secondByteRange(first)
  const second = bytes[at + 1] ?? 0
  if (second < low || second > high) return 0
  for (let next = at + 2; next < at + length; next++) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0
  return length
}

function secondByteRange(first: number): readonly [number, number] {
  if (first === 0xe0) return [0xa0, 0xbf]
  if (first === 0xed) return [0x80, 0x9f]
  if (first === 0xf0) return [0x90, 0xbf]
  if (first === 0xf4) return [0x80, 0x8f]
  return [0x80, 0xbf]
}

/** `problem` is a sentence; `position` is an offset in the text, in UTF-16 code units. */
export type ParsedJson = { readonly value: unknown } | { readonly problem: string; readonly position: number }

/**
 * Parses JSON with limits on the depth of nesting and the number of values. Deeper text is refused before it is parsed: Node
 * would parse it, and overflow the stack when it serialises the value (attack 74). Text with more values is refused, too, because
 * looking at each of half a million members takes seconds (attack 134).
 */
export function parseJsonText(text: string, maxDepth: number, maxValues = Infinity): ParsedJson {
  const tooDeepAt = findTooDeep(text, maxDepth)
  if (tooDeepAt >= 0) return { problem: `The JSON is nested more than ${maxDepth} levels deep.`, position: tooDeepAt }
  const tooManyAt = findTooMany(text, maxValues)
  if (tooManyAt >= 0) return { problem: `The JSON has more than ${maxValues} values.`, position: tooManyAt }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return findJsonFault(text)
  }
}

/** The offset of the bracket that goes too deep, or -1. Text with few brackets, which is most bodies, is not scanned. */
function findTooDeep(text: string, maxDepth: number): number {
  if (text.length <= maxDepth || !hasMore(text, '[{', maxDepth)) return -1
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === openBracket || code === openBrace) {
      if (++depth > maxDepth) return at
    } else if (code === closeBracket || code === closeBrace) depth--
  }
  return -1
}

/** The offset of the comma after which there are too many values, or -1. Text with few commas is not scanned. */
function findTooMany(text: string, maxValues: number): number {
  if (text.length <= maxValues || !hasMore(text, ',', maxValues - 1)) return -1
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === comma && ++values > maxValues) return at
  }
  return -1
}

const comma = 44
const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [34, 92, 91, 93, 123, 125]

/** True if the text holds more than `limit` of these characters in total. */
function hasMore(text: string, characters: string, limit: number): boolean {
  let count = 0
  for (const character of characters) {
    for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) if (++count > limit) return true
  }
  return false
}

/** The offset of the quote that ends the string that begins here; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return end
  }
  return text.length
}
