import { Type } from 'typebox'
import { getAccount, checkAdminLeft, checkEmailFree, readEmail, readName } from '../../identity/account-store.ts'
import { isLowerRole, type AccountRole } from '../../identity/caller.ts'
import type { AccountRow } from '../../store/core/schema.ts'
import { action } from '../call/action.ts'
import { accountItem, accountItems } from './account-item.ts'
import { profileColumns, profileProperties } from './account-profile.ts'
import { itemOutput } from '../call/write-answer.ts'
import { idProperty, emailProperty, nameProperty, roleProperty } from './account-writing.ts'
import { closed, flag } from '../../base/schema.ts'

export const update = action('SVC_Accounts.update', {
  title: 'Change [the account {title}|an account]',
  summary: 'Changes the e-mail, name, role or public profile of an account, or disables it.',
  did: 'changed [the account {title}|an account]',
  tier: 'admin',
  effect: 'write',
  failures: ['not_found', 'exists'],
  // Any role except the lowest may be higher than the present one.
  touches: {
    least: 'access',
    by: ({ role, disabled }) => ((role !== undefined && role !== 'read') || disabled === false ? 'unlimited' : 'access'),
  },
  revisioned: true,
  input: closed({
    id: idProperty,
    email: Type.Optional(emailProperty),
    name: Type.Optional(nameProperty),
    role: Type.Optional(roleProperty),
    ...profileProperties,
    disabled: flag('Whether the account is disabled. Nobody can sign in with it, and its tokens and apps do not work.'),
  }),
  output: itemOutput(accountItem),
  examples: [
    { title: 'Rename the owner', input: { id: 'owner@example.org', name: 'The Owner' } },
    {
      title: 'Show who writes here',
      input: { id: 'owner@example.org', public: true, slug: 'the-owner', bio: 'Bakes since 1998.' },
    },
  ],
  async run(context, { id, email, name, role, disabled, ...profile }) {
    const { change, db } = context
    const before = await getAccount(db, id)
    const address = email === undefined ? before.email : readEmail(email)
    await checkEmailFree(db, address, before.id)
    const { row, changed } = await change.update('account', before, {
      email: address,
      ...(name === undefined ? {} : { name: readName(name) }),
      ...(role === undefined ? {} : { role }),
      ...(disabled === undefined ? {} : { disabled: disabled ? 1 : 0 }),
      ...(await profileColumns(db, before, profile, name ?? before.name)),
      // The new epoch ends the sessions and apps of the account. They do not come back when the account gets more rights again.
      ...(losesRights(before, role, disabled) ? { epoch: before.epoch + 1 } : {}),
    })
    await checkAdminLeft(db)
    const item = (await accountItems(context, [row]))(row)
    return { item, changed: changed.filter((column) => column !== 'epoch'), warnings: [], activity_id: null }
  },
})

function losesRights(before: AccountRow, role: AccountRole | undefined, disabled: boolean | undefined): boolean {
  const demoted = role !== undefined && isLowerRole(role, before.role as AccountRole)
  return demoted || (disabled === true && before.disabled === 0)
}
