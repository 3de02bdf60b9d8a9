import { closed, nonEmptyText } from '../../base/schema.ts'
import { getDelivery, getWebhook } from '../../webhooks/endpoint-store.ts'
import { action } from '../call/action.ts'
import { storeTried, triedOutput, tryNow, type TriedDelivery } from './attempted.ts'

export const redeliver = action('SVC_Webhooks.redeliver', {
  title: 'Send an event again',
  summary: 'Sends an event again now, with the same id and signed anew. The answer is that of the receiver.',
  did: 'sent an event again',
  tier: 'admin',
  effect: 'act',
  touches: 'access',
  failures: ['not_found'],
  input: closed({ delivery: nonEmptyText('Id of a delivery: its `webhook-id`.', 40) }),
  output: triedOutput,
  examples: [{ title: 'Again', input: { delivery: 'msg_01k8zq4v6m3t5c9e2n7r1x0bfd' } }],
  async prepare(context, { delivery: id }): Promise<TriedDelivery | null> {
    const delivery = await getDelivery(context.db, id)
    const endpoint = await getWebhook(context.db, delivery.webhook_id)
    return context.dryRun ? null : tryNow(context, endpoint, delivery)
  },
  run: ({ db, now }, _input, tried: TriedDelivery | null) => storeTried(db, tried, now),
})
