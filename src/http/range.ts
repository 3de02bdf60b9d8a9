// Parses `Range` (RFC 9110 §14) for a body whose length is known.

/** The bytes from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Parses the part that a `Range` header requests. Undefined means the whole body: no header, several parts, another unit, or an
 * invalid header (attack 108). `unsatisfiable` is a 416.
 * @see RFC 9110 §14.1.1, §14.2
 */
export function parseRange(header: string | undefined, length: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '')
    return Number(last) === 0 || length === 0 ? 'unsatisfiable' : { start: Math.max(0, length - Number(last)), end: length - 1 }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= length) return 'unsatisfiable'
  return { start, end: last === '' ? length - 1 : Math.min(Number(last), length - 1) }
}
