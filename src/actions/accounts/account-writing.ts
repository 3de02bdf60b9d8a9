// The common parts of the writes to accounts. No call carries a password: people set theirs with a one-time link.

import { Type } from 'typebox'
import { nameOf, roles } from '../../identity/caller.ts'
import { linkMs, linkPath, makeLink } from '../../identity/one-time-link.ts'
import { nonEmptyText } from '../../base/schema.ts'
import type { AccountRow } from '../../store/core/schema.ts'
import type { WriteContext } from '../call/action.ts'
import { mailAccount, timeIn } from '../mail/site-mail.ts'
import { accountItems } from './account-item.ts'

export const idProperty = nonEmptyText('Id or e-mail of an account.', 254)

export const emailProperty = Type.String({ description: 'The e-mail address for signing in.', minLength: 3, maxLength: 254 })

export const nameProperty = nonEmptyText('The name shown beside what this person does.', 200)

export const roleProperty = Type.Enum([...roles], {
  description: 'What the account may do at most. A contributor writes drafts of entries of their own.',
})

export const link = Type.Optional(
  Type.String({
    description:
      'The link for setting the password. It works once, for three days. It is shown once: not in a dry run, and not in the answer to a repeated call.',
  }),
)

export const mailed = Type.Boolean({ description: 'Whether the link also goes to the person by mail.' })

/** Makes a link for a new password, and the answer that contains it. With a mail relay, the person gets it too. */
export async function withLink(context: WriteContext, account: AccountRow, kind: 'invitation' | 'new_password') {
  const { db, site, now } = context
  const code = await makeLink(db, account, now)
  const path = `${linkPath}?code=${code}`
  const values = { by: nameOf(context.caller), until: timeIn(site, now + linkMs) }
  const isMailed = await mailAccount(site, db, { kind, account, values, path, until: now + linkMs }, now)
  if (isMailed) context.afterCommit(() => site.mail.ring())
  const item = (await accountItems(context, [account]))(account)
  return { item, link: `${context.origin}${path}`, mailed: isMailed, warnings: [], activity_id: null }
}
