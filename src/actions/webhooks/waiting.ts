// The number of events that wait for each webhook.

import type { Db } from '../../store/core/database.ts'

/** Counts the waiting deliveries of these webhooks. A webhook without any is missing. */
export async function countWaiting(db: Db, webhooks: readonly { readonly id: string }[]): Promise<ReadonlyMap<string, number>> {
  if (webhooks.length === 0) return new Map()
  // Few deliveries wait. By their webhooks the index finds them, without reading those that were sent.
  const ids = webhooks.map(({ id }) => id)
  const rows = await db
    .selectFrom('webhook_delivery')
    .select((eb) => ['webhook_id', eb.fn.countAll<number>().as('waiting')])
    .where('webhook_id', 'in', ids)
    .where('state', '=', 'waiting')
    .groupBy('webhook_id')
    .execute()
  return new Map(rows.map(({ webhook_id: id, waiting }) => [id, waiting]))
}
