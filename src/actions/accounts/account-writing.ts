// The common parts of the writes to accounts. No call carries a password: people set theirs with a one-time link.

import { Type } from 'typebox'
import { roles } from '../../identity/caller.ts'
import { linkPath, makeLink } from '../../identity/one-time-link.ts'
import { nonEmptyText } from '../../base/schema.ts'
import type { AccountRow } from '../../store/core/schema.ts'
import type { WriteContext } from '../call/action.ts'
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

/** Makes a link for a new password, and the answer that contains it. */
export async function withLink(context: WriteContext, account: AccountRow) {
  const code = await makeLink(context.db, account, context.now)
  const item = (await accountItems(context, [account]))(account)
  return { item, link: `${context.origin}${linkPath}?code=${code}`, warnings: [], activity_id: null }
}
