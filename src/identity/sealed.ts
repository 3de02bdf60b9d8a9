// Sealed values are sent to the browser in cookies and hidden form fields, and return from it. They are encrypted and
// authenticated, with one key per purpose. The code that opens a sealed value must check in the database if it is still valid.

import { randomBytes } from 'node:crypto'
import nacl from 'tweetnacl'
import type { SiteKey } from './site-key.ts'

const { secretbox } = nacl

/** The longest text that is opened. A consent page with the longest client id and state fits. */
const maxLength = 48 * 1024
const form = /^[A-Za-z0-9_-]+$/

/** Seals a JSON value as text for a cookie or a hidden field. The text differs with each call. */
export function seal(key: SiteKey, purpose: string, value: unknown): string {
  const nonce = randomBytes(secretbox.nonceLength)
  const box = secretbox(Buffer.from(JSON.stringify(value)), nonce, key.derive(purpose))
  return Buffer.concat([nonce, box]).toString('base64url')
}

/**
 * Opens a value that was sealed for this purpose. Undefined for any other text, including another base64url spelling of the same
 * bytes.
 */
export function unseal(key: SiteKey, purpose: string, text: string): unknown {
  if (text.length > maxLength || !form.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  const least = secretbox.nonceLength + secretbox.overheadLength
  if (bytes.length < least || bytes.toString('base64url') !== text) return undefined
  const nonce = bytes.subarray(0, secretbox.nonceLength)
  const box = bytes.subarray(secretbox.nonceLength)
  for (const one of key.deriveAll(purpose)) {
    const opened = secretbox.open(box, nonce, one)
    if (opened) return JSON.parse(Buffer.from(opened).toString()) as unknown
  }
  return undefined
}
