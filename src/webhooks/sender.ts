// Sends deliveries after their commit. Each endpoint has a worker of its own, so that one that hangs delays no other. A worker
// claims a delivery before it sends it: of several processes, one sends it, and after a kill another try follows.

import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { repeat, type Repeating } from '../base/repeating.ts'
import type { SiteKey } from '../identity/site-key.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Store } from '../store/core/database.ts'
import type { WebhookDeliveryRow, WebhookRow } from '../store/core/schema.ts'
import { attempt, type DeliveryAttempt, isTaken, outcomeOf } from './attempt.ts'
import { getWebhook } from './endpoint-store.ts'
import { delayAfter } from './schedule.ts'
import type { Webhooks } from './webhooks.ts'

/** The interval of looks for due deliveries. Those of this process are sent at once. */
const everyMs = 2000
/** A claim ends after this time, which is longer than a try. */
const claimMs = 60_000
/** With more deliveries waiting than this, an endpoint is turned off. */
export const maxWaiting = 10_000

/** The parts of a site that the sender needs. */
export interface SenderParts {
  readonly store: Pick<Store, 'read' | 'write'>
  readonly clock: Clock
  readonly log: Log
  readonly key: SiteKey
  readonly outbound: Pick<Outbound, 'fetch'>
  readonly webhooks: Webhooks
  /** Turns an endpoint off, and records why. */
  readonly turnOff: (id: string, reason: string) => Promise<void>
}

/** Starts the sender of this process. */
export function startSender(site: SenderParts): Repeating {
  const { webhooks, log } = site
  const stopping = new AbortController()
  const working = new Map<string, Promise<void>>()
  const look = async () => {
    for (const { id } of webhooks.endpoints) {
      if (working.has(id) || stopping.signal.aborted) continue
      const work = drain(site, id, stopping.signal)
        .catch((error: unknown) => log.error('webhook not sent', { webhook: id, error }))
        .finally(() => working.delete(id))
      working.set(id, work)
    }
  }
  const looking = repeat(everyMs, look, (error) => log.error('check for webhooks failed', { error }))
  webhooks.onWake(() => void looking.run())
  return {
    ...looking,
    async stop() {
      stopping.abort()
      await looking.stop()
      await Promise.all(working.values())
    },
  }
}

/** Sends what is due to an endpoint, one after the other. */
async function drain(site: SenderParts, id: string, signal: AbortSignal): Promise<void> {
  for (let first = true; !signal.aborted; first = false) {
    const delivery = await claim(site, id)
    if (!delivery) return
    const endpoint = await getWebhook(site.store.read, id)
    if (endpoint.state !== 'on') return
    if (first && (await isFull(site, id)))
      return off(site, endpoint, `More than ${maxWaiting} events waited, because the receiver did not take them.`)
    const done = await attempt(site, endpoint, delivery, site.clock.now(), signal)
    // A try that the stop cut off is not the fault of the receiver. The claim ends by itself.
    if (signal.aborted) return
    await settle(site, endpoint, delivery, done)
  }
}

/** Claims the delivery of an endpoint that has been due the longest. */
async function claim({ store, clock }: SenderParts, id: string): Promise<WebhookDeliveryRow | undefined> {
  for (;;) {
    const now = clock.now()
    const due = await store.read
      .selectFrom('webhook_delivery')
      .select(['id', 'next_at'])
      .where('webhook_id', '=', id)
      .where('state', '=', 'waiting')
      .where('next_at', '<=', now)
      .orderBy('next_at')
      .limit(1)
      .executeTakeFirst()
    if (!due) return undefined
    const claimed = await store.write
      .updateTable('webhook_delivery')
      .set(({ eb }) => ({ tries: eb('tries', '+', 1), next_at: now + claimMs }))
      .where('id', '=', due.id)
      .where('state', '=', 'waiting')
      .where('next_at', '=', due.next_at)
      .returningAll()
      .executeTakeFirst()
    if (claimed) return claimed
  }
}

async function isFull({ store }: SenderParts, id: string): Promise<boolean> {
  const rows = store.read.selectFrom('webhook_delivery').select('id').where('webhook_id', '=', id).where('state', '=', 'waiting')
  const beyond = await rows.offset(maxWaiting).limit(1).executeTakeFirst()
  return beyond !== undefined
}

/** Stores the outcome of a try. A receiver that says that it is gone, or that ten tries did not reach, gets no more events. */
async function settle(
  site: SenderParts,
  endpoint: WebhookRow,
  delivery: WebhookDeliveryRow,
  done: DeliveryAttempt,
): Promise<void> {
  const now = site.clock.now()
  const isGone = done.status === 410
  const delay = isTaken(done) || isGone ? undefined : delayAfter(delivery.tries, done)
  const state = isTaken(done) ? 'sent' : delay === undefined ? 'failed' : 'waiting'
  await storeAttempt(site.store, delivery.id, done, { state, next_at: delay === undefined ? null : now + delay }, now)
  if (isGone) await off(site, endpoint, 'The receiver answered 410: it wants no more events.')
  else if (state === 'failed') await off(site, endpoint, `An event was not taken in ${delivery.tries} tries. ${outcomeOf(done)}`)
}

async function off(site: SenderParts, { id }: WebhookRow, reason: string): Promise<void> {
  site.log.warn('webhook turned off', { webhook: id, reason })
  await site.turnOff(id, reason)
}

/** Stores the answer of a try, and what follows from it. */
async function storeAttempt(
  { write }: Pick<Store, 'write'>,
  id: string,
  { status, answer, error }: DeliveryAttempt,
  next: Pick<WebhookDeliveryRow, 'state' | 'next_at'>,
  now: number,
): Promise<void> {
  await write
    .updateTable('webhook_delivery')
    .set({ ...next, status, answer, error, tried_at: now })
    .where('id', '=', id)
    .execute()
}
