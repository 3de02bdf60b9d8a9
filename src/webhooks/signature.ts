// Secrets and signatures of Standard Webhooks 1.0.0: HMAC-SHA256 (`v1`), or Ed25519 (`v1a`) for receivers that shall not be able to
// sign themselves.

import { createHmac, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export const signings = ['hmac', 'ed25519'] as const
export type Signing = (typeof signings)[number]

/** A new secret: `whsec_` or `whsk_`, and the key in base64. */
export function newSecret(signing: Signing): string {
  if (signing === 'hmac') return `whsec_${randomBytes(32).toString('base64')}`
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = Buffer.concat([bytesOf(privateKey.export({ format: 'jwk' }).d), bytesOf(publicKey.export({ format: 'jwk' }).x)])
  return `whsk_${key.toString('base64')}`
}

/** The text that the receiver verifies with: the secret itself, or `whpk_` and the public key. */
export const verifierOf = (secret: string): string =>
  secret.startsWith('whsk_') ? `whpk_${keyOf(secret).subarray(32).toString('base64')}` : secret

/** The message that is signed. */
export interface SignedMessage {
  /** The `webhook-id`, which has no `.`. */
  readonly id: string
  /** The time of the attempt, in UTC seconds. */
  readonly timestamp: number
  readonly body: string
}

/** The header `webhook-signature`: one signature for each secret, with a space between. */
export const signatureOf = (secrets: readonly string[], message: SignedMessage): string =>
  secrets.map((secret) => signOne(secret, message)).join(' ')

function signOne(secret: string, { id, timestamp, body }: SignedMessage): string {
  const text = `${id}.${timestamp}.${body}`
  if (secret.startsWith('whsec_')) return `v1,${createHmac('sha256', keyOf(secret)).update(text).digest('base64')}`
  return `v1a,${sign(null, Buffer.from(text), privateKeyOf(keyOf(secret))).toString('base64')}`
}

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64')
const bytesOf = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url')

function privateKeyOf(key: Buffer) {
  const [d, x] = [key.subarray(0, 32).toString('base64url'), key.subarray(32).toString('base64url')]
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' })
}
