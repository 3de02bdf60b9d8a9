// What may stand in a header: ours on the way out, theirs on the way in.

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

/** A header value in which CR, LF, NUL and all beyond ASCII are percent-encoded as UTF-8 (attack 12). */
export function headerValue(value: string): string {
  return unsafeInValue.test(value) ? percent(value, unsafeInValue) : value
}

/** A URL for a header: as above, and spaces encoded too. */
export function headerUrl(url: string): string {
  return unsafeInUrl.test(url) ? percent(url, unsafeInUrl) : url
}

/** Headers that decide who is asked, who asks or where a body ends: two of one name are two readings of one request. */
const single = [
  'host', 'authorization', 'content-length', 'content-type', 'transfer-encoding', 'origin', 'expect', 'x-api-key',
  'mcp-protocol-version', 'content-encoding', 'if-match', 'idempotency-key', 'range',
] // prettier-ignore
const bitOf = new Map(single.map((name, index) => [name, 1 << index]))
const lengths = new Set(single.map((name) => name.length))
const lengthCounts = Uint8Array.from({ length: 64 }, (_, length) => (lengths.has(length) ? 1 : 0))

/**
 * Holds a request's header lines, names and values in turn, to their number and to one line for each name that must be single.
 * Node itself keeps the first and drops the rest in silence (attacks 3, 4).
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
