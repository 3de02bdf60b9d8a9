import { closed } from '../../base/schema.ts'
import { getWebhook, newDelivery } from '../../webhooks/endpoint-store.ts'
import { action } from '../call/action.ts'
import { storeTried, triedOutput, tryNow, type TriedDelivery } from './attempted.ts'
import { idProperty } from './item.ts'

const type = 'webhook.test'

export const test = action('SVC_Webhooks.test', {
  title: 'Try a webhook',
  summary: 'Sends the event `webhook.test` to a webhook now, also to one that is off. The answer is that of the receiver.',
  did: 'tried a webhook',
  tier: 'admin',
  effect: 'act',
  touches: 'access',
  failures: ['not_found'],
  input: closed({ id: idProperty }),
  output: triedOutput,
  examples: [{ title: 'Send a test event', input: { id: '01k8zq4v6m3t5c9e2n7r1x0bfd' } }],
  async prepare(context, { id }): Promise<TriedDelivery | null> {
    const endpoint = await getWebhook(context.db, id)
    if (context.dryRun) return null
    const body = JSON.stringify({ type, timestamp: new Date(context.now).toISOString(), data: { webhook: endpoint.id } })
    return tryNow(context, endpoint, newDelivery(endpoint.id, type, body, context.now))
  },
  run: ({ db, now }, _input, tried: TriedDelivery | null) => storeTried(db, tried, now),
})
