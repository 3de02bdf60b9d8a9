// Checks of headers: the characters that a reply may send, and the request headers that must be single.

import { HttpFailure } from './failure.ts'

const unsafeInValue = /[^\t\x20-\x7e]/
const unsafeInUrl = /[^\x21-\x7e]/

const percent = (text: string, unsafe: RegExp): string =>
  Array.from(text.toWellFormed(), (character) => (unsafe.test(character) ? percentByte(character) : character)).join('')

function percentByte(character: string): string {
  let encoded = ''
  for (const byte of Buffer.from(character)) encoded += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  return encoded
}

/** A header value with CR, LF, NUL and characters beyond ASCII percent-encoded as UTF-8 (attack 12). */
export function headerValue(value: string): string {
  return unsafeInValue.test(value) ? percent(value, unsafeInValue) : value
}

/** A URL for a header: encoded like `headerValue`, including spaces. */
export function headerUrl(url: string): string {
  return unsafeInUrl.test(url) ? percent(url, unsafeInUrl) : url
}

/** Headers about host, caller or the end of the body. If one came twice, two programs could read the same request in two ways. */
const single = [
  'host', 'authorization', 'content-length', 'content-type', 'transfer-encoding', 'origin', 'expect', 'x-api-key',
  'mcp-protocol-version', 'content-encoding', 'if-match', 'idempotency-key', 'range',
] // prettier-ignore
const bitOf = new Map(single.map((name, index) => [name, 1 << index]))
const lengths = new Set(single.map((name) => name.length))
const lengthCounts = Uint8Array.from({ length: 64 }, (_, length) => (lengths.has(length) ? 1 : 0))

/**
 * Checks the header lines of a request, names and values in turn: their number, and that no header that must be single comes
 * twice. Node itself silently uses the first and drops the rest (attacks 3, 4).
 * @throws HttpFailure `headers_too_large`, `malformed`
 */
export function checkHeaderLines(raw: readonly string[], maxHeaders: number): void {
  if (raw.length > maxHeaders * 2) {
    throw new HttpFailure('headers_too_large', `The request has ${raw.length / 2} headers; at most ${maxHeaders} are taken.`)
  }
  let seen = 0
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? ''
    if (lengthCounts[name.length] !== 1) continue
    const bit = bitOf.get(name.toLowerCase())
    if (bit === undefined) continue
    if ((seen & bit) !== 0) throw new HttpFailure('malformed', `The header ${name} came twice; it may come once.`)
    seen |= bit
  }
}
