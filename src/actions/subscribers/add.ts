import { Type } from 'typebox'
import { Failure } from '../../base/failure.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'
import { addSubscribers, checkRevived } from '../../mail/newsletter/subscriber-store.ts'
import { headerText } from '../../mail/mail-address.ts'
import { action } from '../call/action.ts'
import { itemAnswer, itemOutput } from '../call/write-answer.ts'
import {
  consentProperty,
  languageProperty,
  readLanguage,
  readSubscriberAddress,
  subscriberItem,
  toSubscriber,
} from './subscriber-item.ts'

export const add = action('SVC_Subscribers.add', {
  title: 'Add a subscriber',
  summary: 'Adds somebody who agreed elsewhere, such as on paper. They get the next newsletter, and no mail about this.',
  did: 'added a subscriber',
  tier: 'admin',
  effect: 'act',
  touches: 'access',
  failures: ['exists'],
  input: closed({
    email: nonEmptyText('The address.', 254),
    name: Type.Optional(nonEmptyText('The name.', 200)),
    language: Type.Optional(languageProperty),
    consent: consentProperty,
  }),
  output: itemOutput(subscriberItem),
  examples: [
    {
      title: 'From the list in the shop',
      input: { email: 'clara@example.com', name: 'Clara', consent: 'Signed the list in the shop.' },
    },
  ],
  async run({ db, site, now }, { email: given, name, language, consent }) {
    const email = readSubscriberAddress(given)
    const person = { email, name: name === undefined ? null : headerText(name), language: readLanguage(site, language) }
    const outcome = await addSubscribers(db, [person], { consent: consent.toWellFormed(), source: 'admin' }, now)
    checkRevived(outcome)
    const [row] = outcome.added
    if (!row) throw new Failure('exists', `${email} is subscribed already.`, { field: 'email' })
    return itemAnswer(toSubscriber(row), ['subscriber'])
  },
})
