// Codes of authenticator apps, as pure functions. `second-factor-store.ts` stores the secrets and ensures that each code counts
// once.
//
// The package otpauth has 1.8 MB with its hashes. It stops at the matching step, so the time of its answer reveals that step.
//
// See RFC 4226 (HOTP), RFC 6238 (TOTP) and RFC 4648 §6 (base32).

import { createHmac, randomBytes } from 'node:crypto'
import { sameSecret } from '../base/same-secret.ts'

/** The parameters that all authenticator apps support: 30 seconds, six digits, SHA-1. */
const stepMs = 30_000
const digits = 6
/** RFC 4226 §4 recommends 160 bits. */
const secretBytes = 20
/** The number of steps by which the clock of a phone may be wrong, in each direction (RFC 6238 §5.2). */
const drift = 1

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The time step of a time, in UTC milliseconds. */
export const totpStep = (now: number): number => Math.floor(now / stepMs)

/** The code of a counter. @see RFC 4226 §5.3 */
export function hotp(secret: Buffer, counter: number, length = digits, algorithm: 'sha1' | 'sha256' | 'sha512' = 'sha1'): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac(algorithm, secret).update(message).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** length).padStart(length, '0')
}

/**
 * Finds the time step near `now` that has this code; undefined if there is none. Every step is compared, so that the time of the
 * answer reveals nothing.
 */
export function findTotpStep(secret: Buffer, code: string, now: number): number | undefined {
  const present = totpStep(now)
  const steps = Array.from({ length: 2 * drift + 1 }, (_, at) => present + drift - at)
  return steps.filter((step) => sameSecret(code, hotp(secret, step)))[0]
}

export const newTotpSecret = (): Buffer => randomBytes(secretBytes)

/** Encodes bytes as base32 without padding, as authenticator apps expect it. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/**
 * The address that an authenticator app reads from the QR code.
 * @see https://github.com/google/google-authenticator/wiki/Key-Uri-Format
 */
export function totpAddress(secret: Buffer, site: string, email: string): string {
  const part = (text: string) => encodeURIComponent(text.replaceAll(':', ' '))
  return `otpauth://totp/${part(site)}:${part(email)}?secret=${toBase32(secret)}&issuer=${part(site)}`
}
