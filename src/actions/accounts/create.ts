import { createAccount } from '../../identity/account-store.ts'
import { action } from '../call/action.ts'
import { accountItem } from './account-item.ts'
import { itemOutput } from '../call/write-answer.ts'
import { emailProperty, nameProperty, roleProperty, link, mailed, withLink } from './account-writing.ts'
import { closed } from '../../base/schema.ts'

export const create = action('SVC_Accounts.create', {
  title: 'Create [the account {title}|an account]',
  summary: 'Creates an account, and a link for setting its password.',
  did: 'created [the account {title}|an account]',
  tier: 'admin',
  effect: 'write',
  failures: ['exists'],
  touches: 'unlimited',
  secrets: ['link'],
  input: closed({ email: emailProperty, name: nameProperty, role: roleProperty }),
  output: itemOutput(accountItem, { link, mailed }),
  examples: [{ title: 'An account for a writer', input: { email: 'writer@example.org', name: 'Writer', role: 'content' } }],
  async run(context, given) {
    const account = await createAccount(context.change, { ...given, passwordHash: null })
    return { ...(await withLink(context, account, 'invitation')), changed: [] }
  },
})
