// Webhooks: the endpoints, and what is or was sent to each. A delivery is written in the transaction of its change.

import type { Kysely } from 'kysely'
import { createIndexes, createTables } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    webhook: `id key, url text, events text, filter text?, signing text, secret text, former_secret text?, former_until bigint?,
      state text, reason text?, by_name text, created_at bigint, updated_at bigint`,
    webhook_delivery: `id key, webhook_id text, event text, body text, state text, tries integer, next_at bigint?,
      created_at bigint, tried_at bigint?, status integer?, answer text?, error text?`,
  })
  await createIndexes(db, 'webhook_delivery', {
    webhook_delivery_due: 'webhook_id, state, next_at',
    webhook_delivery_by_time: 'created_at',
  })
}
