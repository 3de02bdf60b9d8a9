// A webhook and its deliveries in the answers of SVC_Webhooks, and the inputs that several actions share.

import { type Static, Type } from 'typebox'
import { invalid } from '../../base/failure.ts'
import { boundedText, closed, nonEmptyText, severalOf } from '../../base/schema.ts'
import type { SiteKey } from '../../identity/site-key.ts'
import { formatDate, formatDateOrNull } from '../../settings/time-zone.ts'
import type { WebhookDeliveryRow, WebhookRow } from '../../store/core/schema.ts'
import { secretsOf, toEndpoint } from '../../webhooks/endpoint-store.ts'
import { eventTypeOf, isOfPattern, toPattern } from '../../webhooks/event-types.ts'
import { type EventFilter, filterNames } from '../../webhooks/payload.ts'
import { verifierOf } from '../../webhooks/signature.ts'
import { callName } from '../call/action.ts'
import type { Registry } from '../call/registry.ts'
import { nullable } from '../call/write-answer.ts'

const filterValue = Type.Union([
  Type.String({ maxLength: 100 }),
  Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 20 }),
])

export const idProperty = nonEmptyText('Id of a webhook, or its address.', 1000)
export const urlProperty = boundedText(
  'The address of the receiver: https or http, on the public internet, on the usual port.',
  1000,
)
export const eventsProperty = severalOf(
  nonEmptyText('`content.publish`, `content.*`, `*`; names of actions such as `SVC_Content.*` are taken too.', 100),
  'The events: the names of the actions that change something, in lower case with `_` for `-`.',
  50,
)
export const whereProperty = closed(
  Object.fromEntries(filterNames.map((name) => [name, Type.Optional(filterValue)])) as Record<
    (typeof filterNames)[number],
    ReturnType<typeof Type.Optional<typeof filterValue>>
  >,
  {
    description:
      'Sends only events about such objects: `kind` (`entry`, `media`, `term` …); of entries also `type`, `status`, `language`. A list: one of them.',
  },
)

export const webhookItem = Type.Object({
  id: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  where: nullable(Type.Record(Type.String(), Type.Unknown())),
  signing: Type.String({ description: '`hmac` (v1) or `ed25519` (v1a).' }),
  public_key: nullable(Type.String(), 'Of ed25519: what the receiver verifies with.'),
  active: Type.Boolean(),
  reason: nullable(Type.String(), 'The reason why it was turned off by itself.'),
  waiting: Type.Integer({ description: 'The events that wait for a try.' }),
  created_at: Type.String(),
  updated_at: Type.String(),
})

export function toItem(key: SiteKey, row: WebhookRow, waiting: number, now: number): Static<typeof webhookItem> {
  const { events, filter } = toEndpoint(row)
  const [secret] = secretsOf(key, row, now)
  return {
    id: row.id,
    url: row.url,
    events: [...events],
    where: filter,
    signing: row.signing,
    public_key: row.signing === 'ed25519' && secret !== undefined ? verifierOf(secret) : null,
    active: row.state === 'on',
    reason: row.reason,
    waiting,
    created_at: formatDate(row.created_at),
    updated_at: formatDate(row.updated_at),
  }
}

export const deliveryItem = Type.Object({
  id: Type.String({ description: 'The `webhook-id`.' }),
  webhook: Type.String(),
  event: Type.String(),
  state: Type.Enum(['waiting', 'sent', 'failed']),
  tries: Type.Integer(),
  next_at: nullable(Type.String()),
  created_at: Type.String(),
  tried_at: nullable(Type.String()),
  status: nullable(Type.Integer()),
  answer: nullable(Type.String(), 'The first 4 KB of the last answer.'),
  error: nullable(Type.String()),
  body: Type.Unknown({ description: 'The event as it is sent.' }),
})

export function toDelivery(row: WebhookDeliveryRow): Static<typeof deliveryItem> {
  const { webhook_id: webhook, next_at: next, created_at: created, tried_at: tried, body, state, ...rest } = row
  return {
    ...rest,
    webhook,
    state: state as 'waiting' | 'sent' | 'failed',
    next_at: formatDateOrNull(next),
    created_at: formatDate(created),
    tried_at: formatDateOrNull(tried),
    body: JSON.parse(body) as unknown,
  }
}

/** Reads the address of a receiver. Whether it is public is checked at each connection. @throws Failure `invalid` */
export function readUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '') return url.href
  const expected = 'an address with https or http and without a user, such as https://example.org/hooks'
  throw invalid('url', `"url" must be ${expected}.`, expected)
}

/** Reads patterns of events. @throws Failure `invalid` for one that no action has */
export function readEvents(registry: Registry, given: readonly string[]): readonly string[] {
  const types = registry.all.filter(({ effect }) => effect !== 'read').map((action) => eventTypeOf(callName(action)))
  return [...new Set(given.map(toPattern))].map((pattern) => {
    if (types.some((type) => isOfPattern(pattern, type))) return pattern
    const expected = 'the name of an action that changes something, such as content.publish, or a pattern such as content.*'
    throw invalid('events', `There is no event ${JSON.stringify(pattern)}. An event is ${expected}.`, expected)
  })
}

/** The condition as it is stored; null for none. */
export const readFilter = (given: EventFilter | undefined): string | null =>
  given === undefined || Object.keys(given).length === 0 ? null : JSON.stringify(given)
