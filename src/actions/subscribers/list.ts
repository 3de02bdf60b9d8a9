import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { subscriberStates } from '../../mail/newsletter/subscriber-store.ts'
import { action } from '../call/action.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec } from '../lists/list.ts'
import { fromStrangers, fromStrangersProperty } from '../shared/from-strangers.ts'
import { subscriberItem, toSubscriber } from './subscriber-item.ts'

const subscriberList: ListSpec<'subscriber'> = {
  table: 'subscriber',
  key: 'id',
  fields: {
    id: { column: 'id', kind: 'text', indexed: true },
    email: { column: 'email', kind: 'text', indexed: true },
    language: { column: 'language', kind: 'text' },
    state: { column: 'state', kind: 'choice', choices: subscriberStates },
    source: { column: 'source', kind: 'text' },
    created_at: { column: 'created_at', kind: 'time', sort: true, indexed: true },
  },
  sort: '-created_at',
  search: ['email', 'name'],
}

export const list = action('SVC_Subscribers.list', {
  title: 'List subscribers',
  summary: 'Lists the subscribers of the newsletter, newest first, with the consent of each.',
  tier: 'admin',
  effect: 'read',
  touches: 'access',
  input: closed(listProperties(subscriberList)),
  output: Type.Object({ ...listOutput(subscriberItem).properties, ...fromStrangersProperty }),
  examples: [
    { title: 'Who gets the newsletter', input: { where: { state: 'active' }, count: true } },
    { title: 'One address', input: { where: { email: 'anna@example.com' } } },
  ],
  async run(context, input: ListInput) {
    const page = await listRows(context, subscriberList, input)
    return { ...(await listAnswer(context, page, toSubscriber)), ...fromStrangers('email', 'name') }
  },
})
