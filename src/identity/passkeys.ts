// Passkeys as a second factor. A challenge is sealed in the form for one browser and account, and answered once. The domain of a
// passkey has no `www.`, so that the passkey works at both addresses of a site. The package that verifies answers takes half a
// second to load, so it is loaded at its first use (attack 66).
//
// See Web Authentication Level 3 §5.1.2 (rpId), §7.1 and §7.2.

import { isIP } from 'node:net'
import { randomBytes } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { isLoopbackName } from '../http/origin.ts'
import { isObject } from '../base/json.ts'
import { createLate } from '../base/late.ts'
import type { Db } from '../store/core/database.ts'
import type { PasskeyRow } from '../store/core/schema.ts'
import { seal, unseal } from './sealed.ts'
import type { SiteKey } from './site-key.ts'

const webauthn = createLate(() => import('@simplewebauthn/server'))

/** The place of a browser: the domain for passkeys, and the origin that its answers contain. */
export interface PasskeyPlace {
  readonly rpId: string
  readonly origin: string
}

/**
 * The place of a request. Undefined where browsers offer no passkeys: at an IP address, and over plain http except on this
 * machine.
 */
export function passkeyPlace({ scheme, host }: { readonly scheme: string; readonly host: string }): PasskeyPlace | undefined {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  const isAddress = name.startsWith('[') || isIP(name) !== 0
  if (isAddress || (scheme !== 'https' && !isLoopbackName(name))) return undefined
  return { rpId: name.replace(/^www\.(?=.+\.)/, ''), origin: `${scheme}://${host.toLowerCase()}` }
}

const purpose = 'passkey-challenge'
const ttlMs = 10 * 60_000

/** The recipient of a challenge, and the purpose of its answer. */
export interface ChallengeFor {
  readonly does: 'add' | 'sign-in' | 'confirm'
  readonly account: string
  /** The session or browser. */
  readonly holder: string
}

interface Challenge extends ChallengeFor {
  readonly challenge: string
  readonly expiresAt: number
}

/** Creates a challenge: in plain form for the browser, and sealed for the form. */
export function makeChallenge(key: SiteKey, whom: ChallengeFor, now: number) {
  const challenge = randomBytes(32).toString('base64url')
  const { does, account, holder } = whom
  const whole: Challenge = { does, account, holder, challenge, expiresAt: now + ttlMs }
  return { challenge, sealed: seal(key, purpose, whole) }
}

/**
 * Uses up a challenge, even if its answer is wrong. Undefined if the challenge belongs to another recipient, has expired, or was
 * answered.
 */
export async function takeChallenge(
  db: Db,
  key: SiteKey,
  sealed: string,
  whom: ChallengeFor,
  now: number,
): Promise<string | undefined> {
  // Only this site can have sealed it.
  const found = unseal(key, purpose, sealed) as Challenge | undefined
  if (!found || found.expiresAt <= now) return undefined
  if (found.does !== whom.does || found.account !== whom.account || found.holder !== whom.holder) return undefined
  const taken = await db
    .insertInto('spent_challenge')
    .values({ id: found.challenge, expires_at: found.expiresAt })
    .onConflict((on) => on.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return taken && found.challenge
}

const transportsOf = ({ transports }: PasskeyRow): string[] => JSON.parse(transports) as string[]
const descriptor = (row: PasskeyRow) => ({ id: row.id, type: 'public-key', transports: transportsOf(row) })

/** COSE algorithms: EdDSA, ES256, RS256. */
const algorithms = [-8, -7, -257]

/** The argument of `navigator.credentials.create`, as JSON. */
export function creationOptions(
  place: PasskeyPlace,
  site: string,
  account: { readonly id: string; readonly email: string; readonly name: string },
  { challenge, known }: { readonly challenge: string; readonly known: readonly PasskeyRow[] },
) {
  return {
    rp: { id: place.rpId, name: site },
    user: { id: Buffer.from(account.id).toString('base64url'), name: account.email, displayName: account.name },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: ttlMs,
    attestation: 'none',
    excludeCredentials: known.map(descriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  }
}

/** The argument of `navigator.credentials.get`, as JSON. */
export function requestOptions(place: PasskeyPlace, { challenge, known }: { challenge: string; known: readonly PasskeyRow[] }) {
  return { rpId: place.rpId, challenge, timeout: ttlMs, userVerification: 'preferred', allowCredentials: known.map(descriptor) }
}

/** Reads the passkey that a browser has created; undefined if its answer doesn't fit the challenge and the place. */
export async function readNewPasskey(
  answer: string,
  { place, challenge }: { readonly place: PasskeyPlace; readonly challenge: string },
): Promise<Pick<PasskeyRow, 'id' | 'public_key' | 'counter' | 'transports' | 'rp_id'> | undefined> {
  const response = parseAnswer(answer)
  if (!response) return undefined
  const { verifyRegistrationResponse } = await webauthn()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: place.origin,
    expectedRPID: place.rpId,
    requireUserVerification: false,
    supportedAlgorithmIDs: algorithms,
  }).catch(refused)
  if (!registrationInfo) return undefined
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  return {
    id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: JSON.stringify(transports),
    rp_id: place.rpId,
  }
}

/** Finds the passkey that answered a challenge, with its new counter; undefined if the answer doesn't fit. */
export async function findAnswering(
  answer: string,
  {
    place,
    challenge,
    known,
  }: { readonly place: PasskeyPlace; readonly challenge: string; readonly known: readonly PasskeyRow[] },
): Promise<{ readonly row: PasskeyRow; readonly counter: number } | undefined> {
  const response = parseAnswer(answer)
  const row = known.find(({ id }) => id === response?.['id'])
  if (!response || !row) return undefined
  const { verifyAuthenticationResponse } = await webauthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: place.origin,
    expectedRPID: place.rpId,
    requireUserVerification: false,
    credential: {
      id: row.id,
      publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
      counter: row.counter,
      transports: transportsOf(row),
    },
  }).catch(refused)
  return verified && authenticationInfo ? { row, counter: authenticationInfo.newCounter } : undefined
}

/** The package throws for every answer that doesn't fit. */
const refused = () => ({ verified: false as const, registrationInfo: undefined, authenticationInfo: undefined })

const maxAnswerChars = 32 * 1024

function parseAnswer(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = text.length <= maxAnswerChars ? JSON.parse(text) : undefined
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Records a use. Returns false if the counter did not increase, which suggests a copied passkey. Passkeys that don't count stay
 * at 0.
 */
export async function notePasskeyUse(
  db: Db,
  { id, counter: before }: PasskeyRow,
  counter: number,
  now: number,
): Promise<boolean> {
  const row = await db
    .updateTable('passkey')
    .set({ counter, used_at: now })
    .where('id', '=', id)
    .where('counter', '=', before)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined && (counter > before || counter === 0)
}
