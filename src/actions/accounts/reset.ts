import { Failure } from '../../base/failure.ts'
import { getAccount } from '../../identity/account-store.ts'
import { nameOf } from '../../identity/caller.ts'
import { endSecondFactor } from '../../identity/second-factor-store.ts'
import { action } from '../call/action.ts'
import { accountItem } from './account-item.ts'
import { itemOutput } from '../call/write-answer.ts'
import { idProperty, link, mailed, withLink } from './account-writing.ts'
import { closed, flag } from '../../base/schema.ts'

export const reset = action('SVC_Accounts.reset', {
  title: 'Make a link for a new password[ of {title}]',
  summary:
    'Ends the password, sessions and apps of an account, on request its second factors, and creates a link for a new password.',
  did: 'made a link for a new password[ of {title}]',
  tier: 'admin',
  effect: 'act',
  failures: ['not_found'],
  touches: 'unlimited',
  secrets: ['link'],
  input: closed({
    id: idProperty,
    second_factor: flag('Whether the second factors end as well. Nobody can do this for the own account.'),
  }),
  output: itemOutput(accountItem, { link, mailed }),
  examples: [
    { title: 'Somebody forgot the password', input: { id: 'owner@example.org' } },
    { title: 'Somebody lost the phone', input: { id: 'owner@example.org', second_factor: true } },
  ],
  async run(context, { id, second_factor: endsFactors }) {
    const { caller, change, db } = context
    const before = await getAccount(db, id)
    if (before.disabled === 1) {
      throw new Failure('refused', `The account ${before.email} is disabled.`, {
        rule: 'a disabled account cannot get a password',
        hint: 'SVC_Accounts.update with `disabled: false` enables it again.',
      })
    }
    const ends = endsFactors === true && before.second_factor === 1
    if (ends && caller.account?.id === before.id) throw ownSecondFactor()
    const { row } = await change.update('account', before, {
      password_hash: null,
      epoch: before.epoch + 1,
      ...(ends ? await endSecondFactor(change, before, nameOf(caller)) : {}),
    })
    return { ...(await withLink(context, row, 'new_password')), changed: ends ? ['password', 'second_factor'] : ['password'] }
  },
})

const ownSecondFactor = () =>
  new Failure('refused', 'You cannot end the second factors of your own account this way.', {
    field: 'second_factor',
    rule: 'somebody else ends a second factor that was lost',
    hint: 'Remove them on the page Your account, ask another admin, or run: postern admin reset-password EMAIL --second-factor',
  })
