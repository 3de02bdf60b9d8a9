import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec } from '../lists/list.ts'
import { fromStrangers, fromStrangersProperty } from '../shared/from-strangers.ts'
import { deliveryItem, toDelivery } from './item.ts'

const deliveryList: ListSpec<'webhook_delivery'> = {
  table: 'webhook_delivery',
  key: 'id',
  fields: {
    id: { column: 'id', kind: 'text', indexed: true },
    webhook: { column: 'webhook_id', kind: 'text', indexed: true },
    event: { column: 'event', kind: 'text' },
    state: { column: 'state', kind: 'choice', choices: ['waiting', 'sent', 'failed'] },
    status: { column: 'status', kind: 'number', nullable: true },
    created_at: { column: 'created_at', kind: 'time', sort: true, indexed: true },
  },
  sort: '-created_at',
  search: ['body', 'error'],
}

export const deliveries = action('SVC_Webhooks.deliveries', {
  title: 'List deliveries',
  summary: 'Lists what was sent to webhooks in the last 30 days, newest first, each with its last answer.',
  tier: 'admin',
  effect: 'read',
  touches: 'access',
  input: closed(listProperties(deliveryList)),
  output: Type.Object({ ...listOutput(deliveryItem).properties, ...fromStrangersProperty }),
  examples: [
    { title: 'The latest deliveries', input: { limit: 10 } },
    { title: 'What a webhook did not take', input: { where: { webhook: '01k8zq4v6m3t5c9e2n7r1x0bfd', state: 'failed' } } },
  ],
  async run(context, input: ListInput) {
    const page = await listRows(context, deliveryList, input)
    return { ...(await listAnswer(context, page, toDelivery)), ...fromStrangers('answer') }
  },
})
