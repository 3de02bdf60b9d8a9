import { Type } from 'typebox'
import { invalid } from '../../base/failure.ts'
import { closed, nonEmptyText, severalOf } from '../../base/schema.ts'
import { removeSubscribers } from '../../mail/newsletter/subscriber-store.ts'
import { action } from '../call/action.ts'
import { manyAnswer, manyOutput } from '../call/write-answer.ts'
import { checkExpected, expectProperty } from '../shared/expect.ts'

export const remove = action('SVC_Subscribers.remove', {
  title: 'Remove subscribers',
  summary: 'Removes subscribers for good, with their consent and their mails in the list of mails.',
  did: 'removed subscribers',
  tier: 'admin',
  effect: 'destroy',
  touches: 'access',
  failures: ['not_found', 'conflict'],
  input: closed({
    ids: Type.Optional(severalOf(nonEmptyText('Id of a subscriber.', 40), 'The subscribers.', 100)),
    email: Type.Optional(nonEmptyText('The address of one.', 254)),
    expect: expectProperty('subscribers'),
  }),
  output: manyOutput,
  examples: [{ title: 'Somebody who wants to be forgotten', input: { email: 'nobody@example.com', expect: 0 } }],
  async run({ db }, { ids, email, expect }) {
    if ((ids === undefined) === (email === undefined))
      throw invalid('ids', 'Name the subscribers, or the address of one.', 'one of `ids` and `email`')
    const gone = await removeSubscribers(db, { ids, email })
    checkExpected(gone.length, expect, 'subscribers')
    return manyAnswer(gone, [])
  },
})
