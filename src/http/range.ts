// Parses `Range` (RFC 9110 §14) for a body whose length is known.

/**
 * Parses the part that a `Range` header requests. Undefined means the whole body: no header, several parts, another unit, or an
 * invalid header (attack 108). `unsatisfiable` is a 416. The bytes at `start` and at `end` are both included.
 * @see RFC 9110 §14.1.1, §14.2
 */
export function parseRange(
  header: string | undefined,
  length: number,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '')
    return Number(last) === 0 || length === 0 ? 'unsatisfiable' : { start: Math.max(0, length - Number(last)), end: length - 1 }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= length) return 'unsatisfiable'
  return { start, end: last === '' ? length - 1 : Math.min(Number(last), length - 1) }
}
