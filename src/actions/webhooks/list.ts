import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { listWebhooks } from '../../webhooks/endpoint-store.ts'
import { action } from '../call/action.ts'
import { toItem, webhookItem } from './item.ts'
import { countWaiting } from './waiting.ts'

export const list = action('SVC_Webhooks.list', {
  title: 'List webhooks',
  summary: 'Lists the addresses that get events, with their state. Secrets are never shown.',
  tier: 'admin',
  effect: 'read',
  touches: 'access',
  input: closed({}),
  output: Type.Object({ items: Type.Array(webhookItem) }),
  examples: [{ title: 'All webhooks', input: {} }],
  async run({ db, site, now }) {
    const rows = await listWebhooks(db)
    const waiting = await countWaiting(db, rows)
    return { items: rows.map((row) => toItem(site.key, row, waiting.get(row.id) ?? 0, now)) }
  },
})
