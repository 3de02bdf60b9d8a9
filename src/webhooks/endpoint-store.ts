// The rows of endpoints and of deliveries. Secrets are sealed with the site's key.

import { Failure, notFound } from '../base/failure.ts'
import { seal, unseal } from '../identity/sealed.ts'
import type { SiteKey } from '../identity/site-key.ts'
import type { Db } from '../store/core/database.ts'
import { newId } from '../store/core/ids.ts'
import type { WebhookDeliveryRow, WebhookRow } from '../store/core/schema.ts'
import type { EventPattern } from './event-types.ts'
import type { EventFilter } from './payload.ts'

const purpose = 'webhook'

/** The most endpoints of a site. */
export const maxEndpoints = 50
/** For this time after a rotation, deliveries are signed with the former secret too. */
export const rotationMs = 24 * 3_600_000
/** The time for which deliveries are listed. */
export const keptMs = 30 * 86_400_000

/** An endpoint that gets events. */
export interface Endpoint {
  readonly id: string
  readonly events: readonly EventPattern[]
  readonly filter: EventFilter | null
}

export const sealSecret = (key: SiteKey, secret: string): string => seal(key, purpose, secret)

/** The secrets that sign now: the present one, and the former one for a day. @returns none if another key sealed them */
export function secretsOf(key: SiteKey, row: WebhookRow, now: number): readonly string[] {
  const former = row.former_secret !== null && (row.former_until ?? 0) > now ? [row.former_secret] : []
  return [row.secret, ...former].map((sealed) => unseal(key, purpose, sealed)).filter((text) => typeof text === 'string')
}

export const toEndpoint = ({ id, events, filter }: Pick<WebhookRow, 'id' | 'events' | 'filter'>): Endpoint => ({
  id,
  events: JSON.parse(events) as readonly EventPattern[],
  filter: filter === null ? null : (JSON.parse(filter) as EventFilter),
})

export async function listWebhooks(db: Db): Promise<readonly WebhookRow[]> {
  return db.selectFrom('webhook').selectAll().orderBy('created_at').orderBy('id').execute()
}

/** The endpoints that are on. */
export async function listActive(db: Db): Promise<readonly Endpoint[]> {
  const rows = await db.selectFrom('webhook').select(['id', 'events', 'filter']).where('state', '=', 'on').orderBy('id').execute()
  return rows.map(toEndpoint)
}

/** The webhook with an id, or the latest with an address. @throws Failure `not_found` */
export async function getWebhook(db: Db, ref: string): Promise<WebhookRow> {
  const query = db.selectFrom('webhook').selectAll()
  const row =
    (await query.where('id', '=', ref).executeTakeFirst()) ??
    (await query.where('url', '=', ref).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst())
  if (row) return row
  throw notFound('webhook', ref, 'SVC_Webhooks.list lists them.')
}

/** @throws Failure `refused` if the site has as many endpoints as it may have */
export async function addWebhook(db: Db, row: WebhookRow): Promise<void> {
  const { count } = await db
    .selectFrom('webhook')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= maxEndpoints)
    throw new Failure('refused', `A site has at most ${maxEndpoints} webhooks.`, {
      rule: `at most ${maxEndpoints} webhooks`,
      hint: 'SVC_Webhooks.delete',
    })
  await db.insertInto('webhook').values(row).execute()
}

export async function changeWebhook(db: Db, id: string, values: Partial<WebhookRow>): Promise<void> {
  await db.updateTable('webhook').set(values).where('id', '=', id).execute()
}

/** Removes an endpoint with its deliveries. */
export async function removeWebhook(db: Db, id: string): Promise<void> {
  await db.deleteFrom('webhook_delivery').where('webhook_id', '=', id).execute()
  await db.deleteFrom('webhook').where('id', '=', id).execute()
}

/** Turns an endpoint off, with the reason if nobody did, and ends what waits for it. */
export async function turnOff(db: Db, id: string, reason: string | null, now: number): Promise<void> {
  await changeWebhook(db, id, { state: 'off', reason, updated_at: now })
  await db
    .updateTable('webhook_delivery')
    .set({ state: 'failed', next_at: null, error: 'The webhook was turned off.' })
    .where('webhook_id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

/** A delivery that is due now. The id has no `.`, because the signed text has one after it. */
export const newDelivery = (endpoint: string, event: string, body: string, now: number): WebhookDeliveryRow => ({
  id: `msg_${newId(now)}`,
  webhook_id: endpoint,
  event,
  body,
  state: 'waiting',
  tries: 0,
  next_at: now,
  created_at: now,
  tried_at: null,
  status: null,
  answer: null,
  error: null,
})

/** @throws Failure `not_found` */
export async function getDelivery(db: Db, id: string): Promise<WebhookDeliveryRow> {
  const row = await db.selectFrom('webhook_delivery').selectAll().where('id', '=', id).executeTakeFirst()
  if (row) return row
  throw notFound('delivery', id, 'SVC_Webhooks.deliveries lists them.')
}
