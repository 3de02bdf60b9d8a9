// Compares secrets in constant time: how long it takes tells a caller nothing about how much of a guess is right.

import { timingSafeEqual } from 'node:crypto'

/**
 * True if two secrets are the same text or bytes. Only their lengths can be learnt from the time, so the length must not be secret:
 * signatures, digests and codes of a fixed length.
 */
export function sameSecret(a: string | Uint8Array, b: string | Uint8Array): boolean {
  const [left, right] = [Buffer.from(a as string), Buffer.from(b as string)]
  return left.length === right.length && timingSafeEqual(left, right)
}
