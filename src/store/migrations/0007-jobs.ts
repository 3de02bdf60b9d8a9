// Jobs: work that may outlast a call, and recurring work, as rows that the processes of a site share. The times of plugins' jobs
// move into this table. The old table is not dropped, because the previous release still reads it.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('job')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.unique())
    .addColumn('call', 'text', (c) => c.notNull())
    .addColumn('arguments', 'text')
    .addColumn('account_id', 'text')
    .addColumn('token_id', 'text')
    .addColumn('by_name', 'text', (c) => c.notNull())
    .addColumn('owner', 'text')
    .addColumn('key', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('progress', 'text')
    .addColumn('result', 'text')
    .addColumn('error', 'text')
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('cancel', 'integer', (c) => c.notNull())
    .addColumn('runner', 'text')
    .addColumn('lease_until', 'bigint')
    .addColumn('next_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('finished_at', 'bigint')
    .execute()
  await db.schema.createIndex('job_created').on('job').columns(['created_at', 'id']).execute()
  await db.schema.createIndex('job_state').on('job').columns(['state', 'lease_until']).execute()
  await sql`
    insert into job (id, name, call, by_name, state, attempts, cancel, next_at, created_at)
    select 'plugin ' || plugin_id || ' ' || job, 'plugin ' || plugin_id || ' ' || job, 'plugin ' || plugin_id, 'Postern', 'waiting', 0, 0,
      next_at, next_at
    from plugin_job`.execute(db)
  await sql`
    insert into job (id, name, call, by_name, state, attempts, cancel, next_at, created_at)
    select 'backup', 'backup', 'SVC_Backup.create', 'Postern', 'waiting', 0, 0, next_at, next_at
    from backup_schedule where next_at is not null`.execute(db)
}
