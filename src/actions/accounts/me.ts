import { Type } from 'typebox'
import { notFound } from '../../base/failure.ts'
import { getAccount } from '../../identity/account-store.ts'
import { action } from '../call/action.ts'
import { accountItem, accountItems } from './account-item.ts'
import { closed } from '../../base/schema.ts'

export const me = action('SVC_Accounts.me', {
  title: 'Show your account',
  summary: 'Shows your own account.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  input: closed({}),
  output: Type.Object({ item: accountItem }),
  examples: [{ title: 'Who am I?', input: {} }],
  async run(context) {
    const { account: own } = context.caller
    if (!own) throw notFound('account', 'me', 'You call without an account, as the operator of this site.')
    const account = await getAccount(context.db, own.id)
    return { item: (await accountItems(context, [account]))(account) }
  },
})
