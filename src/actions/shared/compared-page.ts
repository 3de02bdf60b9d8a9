// Links to one side of a comparison as a page: an entry before or after a proposal, or at one of its states, or one side with the
// differences marked. Nothing is stored: the address says what it shows, and its maker must still have access. A frame without
// script and without the site's origin shows it (attack 146).

import type { Caller } from '../../identity/caller.ts'
import { sealLink } from '../../identity/signed-link.ts'
import type { SiteKey } from '../../identity/site-key.ts'

export const comparedPath = '/user-content/compared/'

/** The side of a comparison that a page shows. */
export type View = 'before' | 'after' | 'marked'

/** A state of an entry: what the public sees, what waits, or a revision. */
export type EntryState = number | 'live' | 'staged'

/** The two sides of a comparison. */
export type Compared =
  /** `place` counts the pages of the proposal; `digest` stands for the changes that were shown with it. */
  | { readonly proposal: string; readonly place: number; readonly digest: string }
  | { readonly entry: string; readonly from: EntryState; readonly to: EntryState }

/** The time in milliseconds for which a link works. */
const linkMs = 60 * 60_000

/** Makes the address of one view. @param origin with the base path, without a slash at the end */
export function comparedLink(
  { key, origin, caller, now }: { readonly key: SiteKey; readonly origin: string; readonly caller: Caller; readonly now: number },
  compared: Compared,
  view: View,
): string {
  const id = JSON.stringify([view, compared])
  return `${origin}${comparedPath}${sealLink(key, 'compared', { id, until: now + linkMs, origin }, caller)}`
}

/** Reads the `id` of an opened link. Only `comparedLink` seals such ids. */
export const readCompared = (id: string): readonly [View, Compared] => JSON.parse(id) as readonly [View, Compared]
