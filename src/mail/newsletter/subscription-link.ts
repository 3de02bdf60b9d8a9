// The links of subscriptions: one confirms, one ends. They are sealed, so that none can be guessed or altered, and no address is in
// them (attack 173).

import { seal, unseal } from '../../identity/sealed.ts'
import type { SiteKey } from '../../identity/site-key.ts'

const purpose = 'subscription'

/** The purpose of a link. */
export type SubscriptionLinkKind = 'confirm' | 'end'

/** A link that this site made. */
export interface SubscriptionLink {
  readonly kind: SubscriptionLinkKind
  /** The id of the subscriber. */
  readonly id: string
}

type Sealed = readonly [kind: SubscriptionLinkKind, id: string, until: number | null]

/** The path of the links' page, below the base path. */
export const subscriptionPath = '/user-content/newsletter/'

/** The path of a link. One that ends a subscription works as long as there is one. @param until for one that confirms */
export function subscriptionLink(key: SiteKey, kind: SubscriptionLinkKind, id: string, until: number | null = null): string {
  return subscriptionPath + seal(key, purpose, [kind, id, until] satisfies Sealed)
}

/** Opens a link; undefined for one that is over, altered or made up. */
export function openSubscriptionLink(key: SiteKey, code: string, now: number): SubscriptionLink | undefined {
  const sealed = code.length > 400 ? undefined : (unseal(key, purpose, code) as Sealed | undefined)
  if (!sealed) return undefined
  const [kind, id, until] = sealed
  return until === null || until > now ? { kind, id } : undefined
}
