// The doctor's key: good for ten minutes, made from the site's key and its own end, so that nothing of it is kept. With it probes are marked,
// and what the service tells of them is read. It opens nothing else.

import { createHmac, randomBytes } from 'node:crypto'
import { seal, unseal } from '../identity/sealed.ts'
import { createSiteKey, type SiteKey } from '../identity/site-key.ts'

/** Ten minutes: longer than any run. */
export const doctorKeyMs = 600_000

/** Headers by which a probe is told from other requests, and answered. */
export const probeHeader = 'x-postern-probe'
export const sawHeader = 'x-postern-saw'

export interface DoctorKey {
  /** UTC milliseconds. */
  readonly expiresAt: number
  readonly key: SiteKey
  /** As an action hands it out: `pdk_…`. */
  readonly text: string
}

const keyForm = /^pdk_([0-9a-z]{8,9})_([A-Za-z0-9_-]{43})$/

/** The key that ends at this moment. */
export function doctorKeyOf(site: SiteKey, expiresAt: number): DoctorKey {
  const bytes = createHmac('sha256', site.derive('doctor')).update(String(expiresAt)).digest()
  return { expiresAt, key: createSiteKey(bytes), text: `pdk_${expiresAt.toString(36)}_${bytes.toString('base64url')}` }
}

/** A key as it was handed out; undefined for any other text. */
export function parseDoctorKey(text: string): DoctorKey | undefined {
  const [, end, secret] = keyForm.exec(text) ?? []
  if (end === undefined || secret === undefined) return undefined
  return { expiresAt: parseInt(end, 36), key: createSiteKey(Buffer.from(secret, 'base64url')), text }
}

/** The ways in which a probe may have the service answer, beside telling what arrived. */
const probeWishes = ['plain', 'events', 'quiet'] as const
export type ProbeWish = (typeof probeWishes)[number]

export interface Probe {
  readonly nonce: string
  readonly wish: ProbeWish
}

/** The value of a probe's header, and the nonce by which its answer is known. */
export function markProbe({ key, expiresAt }: DoctorKey, wish: ProbeWish): { readonly value: string; readonly nonce: string } {
  const nonce = randomBytes(9).toString('base64url')
  return { nonce, value: `${expiresAt.toString(36)}.${seal(key, 'probe', { nonce, wish })}` }
}

const maxProbeChars = 300
/** The time by which the clock of this node may be slower than that of the one that made the key. */
const slowClockMs = 300_000

/** The probe of a header and the key that made it; undefined for what no key of this site made, or one that has ended. */
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
