import { Type } from 'typebox'
import { getAccount } from '../../identity/account-store.ts'
import { action } from '../call/action.ts'
import { accountItem, accountItems } from './account-item.ts'
import { idProperty } from './account-writing.ts'
import { closed } from '../../base/schema.ts'

export const get = action('SVC_Accounts.get', {
  title: 'Show an account',
  summary: 'Shows one account.',
  tier: 'admin',
  effect: 'read',
  failures: ['not_found'],
  input: closed({ id: idProperty }),
  output: Type.Object({ item: accountItem }),
  examples: [{ title: 'One by its e-mail', input: { id: 'owner@example.org' } }],
  async run(context, { id }) {
    const account = await getAccount(context.db, id)
    return { item: (await accountItems(context, [account]))(account) }
  },
})
