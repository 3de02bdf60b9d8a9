// Hashes and checks passwords with scrypt, two at a time. `sign-in.ts` limits the attempts.

import { randomBytes, scrypt } from 'node:crypto'
import { Failure, invalid } from '../base/failure.ts'
import { sameSecret } from '../base/same-secret.ts'

/** One hash takes 32 MiB and about 150 ms. With Node's default `maxmem`, scrypt would throw at this N. */
const parameters = { N: 2 ** 15, r: 8, p: 3 }
const pageParameters = { N: 2 ** 14, r: 8, p: 1 }
const maxmem = 64 * 1024 * 1024
const saltBytes = 16
const hashBytes = 32

/** The shortest and longest password, in bytes of UTF-8. */
export const passwordBytes = { min: 10, max: 1024 }

/** The number of simultaneous hashes; two suit a small VPS. If too many attempts are waiting, another one is refused. */
const maxRunning = 2
const maxWaiting = 64

/** Checks the length of a password. @throws Failure `invalid` for one that is too short or too long */
export function checkPassword(password: string): void {
  const { min, max } = passwordBytes
  const length = Buffer.byteLength(password)
  if (length < min) throw invalid('password', `A password must have at least ${min} characters.`, `${min} characters or more`)
  if (length > max) throw invalid('password', `A password may have at most ${max} bytes.`, `at most ${max} bytes`)
}

/** Returns the hash to store, with its salt and parameters: `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  checkPassword(password)
  return hashWith(password, parameters)
}

/**
 * Returns the hash of the password of a page. It takes about 30 ms, because visitors who share one password check it more often
 * than accounts do.
 */
export const hashPagePassword = (password: string): Promise<string> => hashWith(password, pageParameters)

async function hashWith(password: string, cost: Cost): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await derive(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/**
 * True if a password matches a stored hash. If there is no hash, because there is no such account or it has no password, the
 * check takes equally long and returns false, so that the time reveals nothing (attack 62).
 * @throws Failure `unavailable` if too many attempts are waiting
 */
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const parsed = stored ? readHash(stored) : undefined
  const { salt, hash, ...cost } = parsed ?? { salt: Buffer.alloc(saltBytes), hash: Buffer.alloc(hashBytes), ...parameters }
  if (Buffer.byteLength(password) > passwordBytes.max) return false
  const derived = await derive(password, salt, cost)
  return sameSecret(derived, hash) && parsed !== undefined
}

interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

interface StoredHash extends Cost {
  readonly salt: Buffer
  readonly hash: Buffer
}

function readHash(stored: string): StoredHash {
  const [name, N, r, p, salt = '', hash = ''] = stored.split('$')
  const parsed = {
    N: Number(N),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  }
  if (name === 'scrypt' && parsed.hash.length === hashBytes && parsed.salt.length === saltBytes) return parsed
  throw new Error('A stored password hash is damaged.')
}

let running = 0
const waiting: (() => void)[] = []

/** Derives a hash. The password is normalized, because keyboards write an accented letter as one character or as two. */
async function derive(password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> {
  await takePlace()
  try {
    return await new Promise((resolve, reject) => {
      scrypt(password.normalize('NFC'), salt, hashBytes, { N, r, p, maxmem }, (error, key) =>
        error ? reject(error) : resolve(key),
      )
    })
  } finally {
    freePlace()
  }
}

async function takePlace(): Promise<void> {
  if (running < maxRunning) {
    running++
    return
  }
  if (waiting.length >= maxWaiting)
    throw new Failure('unavailable', 'Too many sign-ins at once: try again in a moment.', { retry_after: 5 })
  // `freePlace` gives its place to the next waiter without counting it as free in between.
  await new Promise<void>((resolve) => waiting.push(resolve))
}

function freePlace(): void {
  const next = waiting.shift()
  if (next) next()
  else running--
}
