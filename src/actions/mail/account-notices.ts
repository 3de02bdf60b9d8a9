// Mails about changes of accounts that their owners must know of, whichever way the change was made.

import type { NoteChange } from '../../mail/mail.ts'
import type { OwnerMailKind } from '../../mail/owner-letters.ts'
import type { RowChange } from '../../store/change/change.ts'
import type { AccountRow } from '../../store/core/schema.ts'
import { adminAccountPath, mailAccount, type MailSite } from './site-mail.ts'

/** The changes that are told, with the test that finds each. Setting the first password of a new account is not among them. */
const notices: readonly { readonly kind: OwnerMailKind; readonly isIn: (before: AccountRow, after: AccountRow) => boolean }[] = [
  { kind: 'password', isIn: (before, after) => before.password_hash !== null && before.password_hash !== after.password_hash },
  { kind: 'second_factor', isIn: (before, after) => before.second_factor_at !== after.second_factor_at },
  { kind: 'email', isIn: (before, after) => before.email !== after.email },
]

/** Returns the function that queues the mails of a change, in its transaction. */
export function accountNotices(site: MailSite): NoteChange {
  return async (db, records, now) => {
    let queued = false
    for (const [before, after] of accountsIn(records)) {
      for (const { kind, isIn } of notices) {
        if (!isIn(before, after)) continue
        // The former address is told: the new one may be a stranger's.
        const mail = { kind, account: after, to: before.email, path: adminAccountPath }
        if (await mailAccount(site, db, mail, now)) queued = true
      }
    }
    return queued
  }
}

/** The accounts that a change changed, whole before and after. */
function accountsIn(records: readonly RowChange[]): readonly (readonly [AccountRow, AccountRow])[] {
  const changed = records.filter(({ kind }) => kind === 'account').flatMap(({ rows }) => rows ?? [])
  return changed.map(({ before, after }) => [before as unknown as AccountRow, after as unknown as AccountRow])
}
