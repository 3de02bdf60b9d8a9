// Calls that wait for an admin.

import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('proposal')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('note', 'text')
    .addColumn('calls', 'text', (c) => c.notNull())
    .addColumn('tier', 'text', (c) => c.notNull())
    .addColumn('diff', 'text', (c) => c.notNull())
    .addColumn('expects', 'text', (c) => c.notNull())
    .addColumn('account_id', 'text')
    .addColumn('token_id', 'text')
    .addColumn('by_name', 'text', (c) => c.notNull())
    .addColumn('token_name', 'text')
    .addColumn('owner', 'text')
    .addColumn('key', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('decided_by', 'text')
    .addColumn('decided_at', 'bigint')
    .addColumn('answer', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('revision', 'integer', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('proposal_by_state').on('proposal').columns(['state', 'created_at', 'id']).execute()
  await db.schema.createIndex('proposal_by_time').on('proposal').columns(['created_at', 'id']).execute()
  await db.schema.createIndex('proposal_by_token').on('proposal').columns(['token_id', 'created_at', 'id']).execute()
  await db.schema.createIndex('proposal_by_key').on('proposal').columns(['owner', 'key']).execute()
}
