// The doctor's key. It is valid for ten minutes. It is derived from the site's key and its own end, so the service stores
// nothing. The key marks probes and reads what the service reports about them. It opens nothing else.

import { createHmac, randomBytes } from 'node:crypto'
import { seal, unseal } from '../identity/sealed.ts'
import { createSiteKey, type SiteKey } from '../identity/site-key.ts'

/** Ten minutes, which is longer than any run. */
export const doctorKeyMs = 600_000

/** The headers of a probe and of its answer. */
export const probeHeader = 'x-postern-probe'
export const sawHeader = 'x-postern-saw'

export interface DoctorKey {
  /** UTC milliseconds. */
  readonly expiresAt: number
  readonly key: SiteKey
  /** The key as an action returns it: `pdk_…`. */
  readonly text: string
}

const keyForm = /^pdk_([0-9a-z]{8,9})_([A-Za-z0-9_-]{43})$/

/** Returns the key that expires at this moment. */
export function doctorKeyOf(site: SiteKey, expiresAt: number): DoctorKey {
  const bytes = createHmac('sha256', site.derive('doctor')).update(String(expiresAt)).digest()
  return { expiresAt, key: createSiteKey(bytes), text: `pdk_${expiresAt.toString(36)}_${bytes.toString('base64url')}` }
}

/** Parses the text of a key; undefined for any other text. */
export function parseDoctorKey(text: string): DoctorKey | undefined {
  const [, end, secret] = keyForm.exec(text) ?? []
  if (end === undefined || secret === undefined) return undefined
  return { expiresAt: parseInt(end, 36), key: createSiteKey(Buffer.from(secret, 'base64url')), text }
}

/** The kinds of answer that a probe may ask for, apart from the report of what arrived. */
const probeWishes = ['plain', 'events', 'quiet'] as const
export type ProbeWish = (typeof probeWishes)[number]

export interface Probe {
  readonly nonce: string
  readonly wish: ProbeWish
}

/** The value of a probe's header, and the nonce that identifies its answer. */
export function markProbe({ key, expiresAt }: DoctorKey, wish: ProbeWish): { readonly value: string; readonly nonce: string } {
  const nonce = randomBytes(9).toString('base64url')
  return { nonce, value: `${expiresAt.toString(36)}.${seal(key, 'probe', { nonce, wish })}` }
}

const maxProbeChars = 300
/** The time by which this node's clock may be behind the clock of the node that made the key. */
const slowClockMs = 300_000

/** Returns the probe in a header and the key that made it; undefined if no key of this site made it, or if the key has expired. */
export function readProbe(
  site: SiteKey,
  text: string,
  now: number,
): { readonly by: DoctorKey; readonly probe: Probe } | undefined {
  const [, end, sealed] = /^([0-9a-z]{8,9})\.([\w-]+)$/.exec(text.slice(0, maxProbeChars)) ?? []
  if (end === undefined || sealed === undefined) return undefined
  const expiresAt = parseInt(end, 36)
  if (expiresAt <= now || expiresAt > now + doctorKeyMs + slowClockMs) return undefined
  const by = doctorKeyOf(site, expiresAt)
  const probe = unseal(by.key, 'probe', sealed) as Probe | undefined
  return probe && probeWishes.includes(probe.wish) ? { by, probe } : undefined
}
