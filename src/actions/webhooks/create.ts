import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { nameOf } from '../../identity/caller.ts'
import { newId } from '../../store/core/ids.ts'
import type { WebhookRow } from '../../store/core/schema.ts'
import { addWebhook, sealSecret } from '../../webhooks/endpoint-store.ts'
import { newSecret, signings } from '../../webhooks/signature.ts'
import { action } from '../call/action.ts'
import { itemAnswer, itemOutput, nullable } from '../call/write-answer.ts'
import { eventsProperty, readEvents, readFilter, readUrl, toItem, urlProperty, webhookItem, whereProperty } from './item.ts'

export const create = action('SVC_Webhooks.create', {
  title: 'Add a webhook',
  summary: 'Adds an address that gets events, signed by Standard Webhooks. The secret is answered once.',
  did: 'added a webhook',
  tier: 'admin',
  effect: 'act',
  touches: 'unlimited',
  secrets: ['secret'],
  input: closed({
    url: urlProperty,
    events: eventsProperty,
    where: Type.Optional(whereProperty),
    signing: Type.Optional(
      Type.Enum([...signings], {
        description: '`ed25519` for a receiver that shall verify and not sign. The default is `hmac`.',
      }),
    ),
  }),
  output: itemOutput(webhookItem, {
    secret: nullable(Type.String(), 'Shown once: `whsec_…`. Null with ed25519: the receiver verifies with `item.public_key`.'),
  }),
  examples: [
    {
      title: 'Each entry that is published',
      input: { url: 'https://hooks.example.org/postern', events: ['content.publish'], where: { status: 'published' } },
    },
    { title: 'Every change', input: { url: 'https://hooks.example.org/all', events: ['*'], signing: 'ed25519' } },
  ],
  async run({ db, site, now, caller, makeStale }, { url, events, where, signing = 'hmac' }) {
    const secret = newSecret(signing)
    const row: WebhookRow = {
      id: newId(now),
      url: readUrl(url),
      events: JSON.stringify(readEvents(site.registry, events)),
      filter: readFilter(where),
      signing,
      secret: sealSecret(site.key, secret),
      former_secret: null,
      former_until: null,
      state: 'on',
      reason: null,
      by_name: nameOf(caller),
      created_at: now,
      updated_at: now,
    }
    await addWebhook(db, row)
    makeStale(['settings'])
    const item = toItem(site.key, row, 0, now)
    return { ...itemAnswer(item, ['webhook']), secret: signing === 'hmac' ? secret : null }
  },
})
