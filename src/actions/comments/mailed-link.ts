// The link in a mail with which an admin moderates one comment.

import type { AccountRow } from '../../store/core/schema.ts'
import { callerOfAccount } from '../../identity/account-store.ts'
import { sealLink } from '../../identity/signed-link.ts'
import type { SiteKey } from '../../identity/site-key.ts'

/** The page in the admin that opens such a link, below the base path. */
export const decidePath = '/admin/comments/decide'
export const commentLinkKind = 'comment'
const linkMs = 7 * 24 * 60 * 60_000

/** The path of the link for a comment and a person. */
export function mailedPath(key: SiteKey, { id }: { readonly id: string }, account: AccountRow, now: number): string {
  const link = sealLink(key, commentLinkKind, { id, until: now + linkMs }, callerOfAccount(account, 'admin'))
  return `${decidePath}?link=${link}`
}
