import { checkEntryLimits } from '../../content/entries/allowed.ts'
import { leaveOldAddresses } from '../../content/redirects/old-addresses.ts'
import { invalid } from '../../base/failure.ts'
import { getAccount, checkAdminLeft } from '../../identity/account-store.ts'
import { action } from '../call/action.ts'
import { doneOutput } from '../call/write-answer.ts'
import { checkExpected, expectProperty } from '../shared/expect.ts'
import { idProperty } from './account-writing.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'

export const deleteAccount = action('SVC_Accounts.delete', {
  title: 'Delete [the account {title}|an account]',
  summary: 'Deletes an account with its tokens and apps, and gives its entries to another account. This cannot be undone.',
  did: 'deleted [the account {title}|an account]',
  tier: 'admin',
  effect: 'destroy',
  failures: ['not_found', 'conflict'],
  touches: 'site',
  input: closed({
    id: idProperty,
    give_to: nonEmptyText('Id or e-mail of the account that gets its entries.', 254),
    expect: expectProperty('accounts, always 1,'),
  }),
  output: doneOutput,
  examples: [{ title: 'Somebody left', input: { id: 'editor@example.org', give_to: 'owner@example.org', expect: 1 } }],
  async run(context, { id, give_to: heirName, expect }) {
    const { change, db } = context
    const account = await getAccount(db, id)
    const heir = await getAccount(db, heirName)
    checkExpected(1, expect, 'accounts')
    if (heir.id === account.id) {
      throw invalid('give_to', '"give_to" must not be the account that is deleted.', 'another account')
    }
    const entries = await db.selectFrom('entry').selectAll().where('author_id', '=', account.id).execute()
    for (const entry of entries) {
      checkEntryLimits(context.caller, entry, entry)
      await change.update('entry', entry, { author_id: heir.id })
    }
    await leaveOldAddresses(change, 'account', account.id, heir.id)
    await change.remove('account', account)
    await checkAdminLeft(db)
    return { done: [account.id], unchanged: [], warnings: [], activity_id: null }
  },
})
