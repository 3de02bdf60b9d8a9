import { Type } from 'typebox'
import { closed, flag } from '../../base/schema.ts'
import type { WebhookRow } from '../../store/core/schema.ts'
import { changeWebhook, getWebhook, rotationMs, sealSecret, turnOff } from '../../webhooks/endpoint-store.ts'
import { newSecret, type Signing } from '../../webhooks/signature.ts'
import { action } from '../call/action.ts'
import { itemAnswer, itemOutput, nullable } from '../call/write-answer.ts'
import {
  eventsProperty,
  idProperty,
  readEvents,
  readFilter,
  readUrl,
  toItem,
  urlProperty,
  webhookItem,
  whereProperty,
} from './item.ts'
import { countWaiting } from './waiting.ts'

export const update = action('SVC_Webhooks.update', {
  title: 'Change a webhook',
  summary: 'Changes a webhook, turns it off or on, or gives it a new secret.',
  did: 'changed a webhook',
  tier: 'admin',
  effect: 'act',
  touches: 'unlimited',
  failures: ['not_found'],
  secrets: ['secret'],
  input: closed({
    id: idProperty,
    url: Type.Optional(urlProperty),
    events: Type.Optional(eventsProperty),
    where: Type.Optional(whereProperty),
    active: flag('False ends what waits. True also forgets why it was turned off.'),
    rotate: flag('Answers a new secret. For 24 hours, events are signed with the old one too.'),
  }),
  output: itemOutput(webhookItem, { secret: nullable(Type.String(), 'Shown once, after `rotate`.') }),
  examples: [
    { title: 'Turn one off', input: { id: '01k8zq4v6m3t5c9e2n7r1x0bfd', active: false } },
    { title: 'A new secret', input: { id: '01k8zq4v6m3t5c9e2n7r1x0bfd', rotate: true } },
  ],
  async run({ db, site, now, makeStale }, { id: ref, url, events, where, active, rotate }) {
    const before = await getWebhook(db, ref)
    const { id } = before
    const signing = before.signing as Signing
    const secret = rotate === true ? newSecret(signing) : null
    const values: Partial<WebhookRow> = {
      ...(url !== undefined && { url: readUrl(url) }),
      ...(events && { events: JSON.stringify(readEvents(site.registry, events)) }),
      ...(where && { filter: readFilter(where) }),
      ...(active === true && { state: 'on', reason: null }),
      ...(secret !== null && {
        secret: sealSecret(site.key, secret),
        former_secret: before.secret,
        former_until: now + rotationMs,
      }),
    }
    const changed = Object.keys(values).filter((name) => values[name as keyof WebhookRow] !== before[name as keyof WebhookRow])
    await changeWebhook(db, id, { ...values, updated_at: now })
    if (active === false) await turnOff(db, id, null, now)
    makeStale(['settings'])
    const item = toItem(site.key, await getWebhook(db, id), (await countWaiting(db, [before])).get(id) ?? 0, now)
    const names = active === false && before.state === 'on' ? [...changed, 'state'] : changed
    return { ...itemAnswer(item, names), secret: signing === 'hmac' ? secret : null }
  },
})
