// Compares secrets in constant time: the duration doesn't reveal how much of a guess is right.

import { timingSafeEqual } from 'node:crypto'

/**
 * True if two secrets are the same text or bytes. The time reveals only their lengths, so the length must not be secret:
 * signatures, digests and codes of a fixed length.
 */
export function sameSecret(a: string | Uint8Array, b: string | Uint8Array): boolean {
  const [left, right] = [Buffer.from(a as string), Buffer.from(b as string)]
  return left.length === right.length && timingSafeEqual(left, right)
}
