import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { getWebhook } from '../../webhooks/endpoint-store.ts'
import { action } from '../call/action.ts'
import { idProperty, toItem, webhookItem } from './item.ts'
import { countWaiting } from './waiting.ts'

export const get = action('SVC_Webhooks.get', {
  title: 'Show a webhook',
  summary: 'Shows one webhook and its state. The secret is never shown.',
  tier: 'admin',
  effect: 'read',
  touches: 'access',
  failures: ['not_found'],
  input: closed({ id: idProperty }),
  output: Type.Object({ item: webhookItem }),
  examples: [{ title: 'One webhook', input: { id: '01k8zq4v6m3t5c9e2n7r1x0bfd' } }],
  async run({ db, site, now }, { id }) {
    const row = await getWebhook(db, id)
    return { item: toItem(site.key, row, (await countWaiting(db, [row])).get(row.id) ?? 0, now) }
  },
})
