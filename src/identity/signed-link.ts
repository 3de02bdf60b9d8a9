// Links that are sealed with the site's key. The address itself contains the target of the link, its end and its maker;
// `link-maker.ts` decides if that maker may still show the target. Upload links are not sealed: they have a random secret and a
// row.

import type { Db } from '../store/core/database.ts'
import type { Caller } from './caller.ts'
import { type LinkMaker, makerOf, isMakerAllowed } from './link-maker.ts'
import { seal, unseal } from './sealed.ts'
import type { SiteKey } from './site-key.ts'

/** The kinds of sealed links, and the beginning of their tokens. The log masks texts that begin with these. */
const prefixes = {
  preview: 'psp_',
  theme: 'psv_',
  compared: 'psc_',
  look: 'psl_',
  file: 'psf_',
  backup: 'psb_',
  comment: 'psm_',
} as const
export type LinkKind = keyof typeof prefixes

/**
 * The sealed members. They have no names, because names would make every address longer.
 * @param at host and base path, or null for any
 */
type Sealed = readonly [id: string, until: number, at: string | null, ...by: ReturnType<typeof packed>]

const packed = ({ tier, account, token, plugin, limits, from }: LinkMaker) =>
  [tier, account?.id, account?.role, token?.kind, token?.id, plugin, limits, from] as const

const unpacked = ([tier, account, role, kind, token, plugin, limits, from]: ReturnType<typeof packed>): LinkMaker => ({
  tier,
  account: account && role ? { id: account, role } : null,
  token: token && kind ? { kind, id: token } : null,
  plugin,
  limits,
  from,
})

/** Makes the token of a link. @param origin with the base path, for a link that works at one address only */
export function sealLink(
  key: SiteKey,
  kind: LinkKind,
  { id, until, origin }: { readonly id: string; readonly until: number; readonly origin?: string },
  maker: Caller,
): string {
  const at = origin === undefined ? null : placeOf(origin)
  const sealed: Sealed = [id, until, at, ...packed(makerOf(maker))]
  return prefixes[kind] + seal(key, `link ${kind}`, sealed)
}

/** Host and base path. The scheme may differ behind a reverse proxy that ends TLS. */
const placeOf = (origin: string): string => origin.replace(/^https?:/, '')

export interface LinkRequest {
  /** The origin and base path of the client's request. */
  readonly origin: string
  /** The client's network address. */
  readonly address: string
  readonly now: number
}

/** A link of this site. */
export interface OpenedLink {
  /** The target. */
  readonly id: string
  /** The id of its maker's account. */
  readonly account: string | undefined
  readonly isOver: boolean
}

/**
 * Opens a link. Returns undefined if this site didn't make the token for this address, or if its maker no longer has the rights
 * for the link's target. `isOver` is true if the time of the link is over.
 */
export async function openLink(
  { key, db }: { readonly key: SiteKey; readonly db: Db },
  kind: LinkKind,
  token: string,
  { origin, address, now }: LinkRequest,
): Promise<OpenedLink | undefined> {
  const prefix = prefixes[kind]
  const sealed = token.startsWith(prefix) ? unseal(key, `link ${kind}`, token.slice(prefix.length)) : undefined
  if (!Array.isArray(sealed)) return undefined
  const [id, until, at, ...by] = sealed as unknown as Sealed
  if (at !== null && at !== placeOf(origin)) return undefined
  // Expiry is checked first, because it needs no query.
  const maker = unpacked(by)
  const opened = { id, account: maker.account?.id }
  if (until <= now) return { ...opened, isOver: true }
  return (await isMakerAllowed(db, maker, { address, now })) ? { ...opened, isOver: false } : undefined
}
