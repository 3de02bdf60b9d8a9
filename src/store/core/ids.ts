// Ids: lower-case ULIDs (48 bits of time, 80 random bits), which sort by creation time.

import { randomFillSync } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const maxTime = 2 ** 48 - 1

/** The five-bit digits of the last random part, highest first; 16 of them. */
const digits = new Uint8Array(16)
/**
 * Random bytes for several ids, and the number of used ones. Asking the system for 16 bytes takes about as long as for all of
 * these.
 */
const random = new Uint8Array(128 * digits.length)
let drawn = random.length
let last = -1
let lastTime = ''

/**
 * Returns a new id of 26 characters. It is greater than every earlier id of this process, even within one millisecond or after the
 * clock went back.
 * @param now milliseconds since 1970, below 2^48
 * @throws RangeError for a time that an id can't hold
 */
export function newId(now: number): string {
  if (!Number.isInteger(now) || now < 0 || now > maxTime)
    throw new RangeError(`An id can't hold the time ${now}: it must be whole milliseconds.`)
  if (now > last) startAt(now)
  else if (!increment()) startAt(last + 1)
  let random = ''
  for (const digit of digits) random += alphabet.charAt(digit)
  return lastTime + random
}

/** The number of characters of an id's time. */
export const idTimeChars = 10

/** Returns the first characters of ids made at a time. */
export function idTime(now: number): string {
  let time = ''
  for (let rest = now, i = 0; i < idTimeChars; i++, rest = Math.floor(rest / 32)) time = alphabet.charAt(rest % 32) + time
  return time
}

function startAt(time: number): void {
  last = time
  lastTime = idTime(time)
  if (drawn === random.length) {
    randomFillSync(random)
    drawn = 0
  }
  for (let i = 0; i < digits.length; i++) digits[i] = (random[drawn++] ?? 0) & 31
}

/** Adds one to the random part. Returns false if it overflows. */
function increment(): boolean {
  for (let i = digits.length - 1; i >= 0; i--) {
    const digit = digits[i] ?? 0
    digits[i] = digit === 31 ? 0 : digit + 1
    if (digit < 31) return true
  }
  return false
}
