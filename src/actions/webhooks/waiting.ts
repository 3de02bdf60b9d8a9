// The number of events that wait for each webhook.

import type { Db } from '../../store/core/database.ts'

/** Counts waiting deliveries by webhook. A webhook without any is missing. */
export async function countWaiting(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('webhook_delivery')
    .select((eb) => ['webhook_id', eb.fn.countAll<number>().as('waiting')])
    .where('state', '=', 'waiting')
    .groupBy('webhook_id')
    .execute()
  return new Map(rows.map(({ webhook_id: id, waiting }) => [id, waiting]))
}
