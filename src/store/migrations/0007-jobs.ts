// Jobs: work that may outlast a call, and recurring work, as rows that the processes of a site share. The times of plugins' jobs
// move into this table. The old table is not dropped, because the previous release still reads it.

import { type Kysely, sql } from 'kysely'
import { createIndexes, createTables } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    job: `
      id key, name text? unique, call text, arguments text?, account_id text?, token_id text?, by_name text, owner text?,
      key text?, state text, progress text?, result text?, error text?, attempts integer, cancel integer, runner text?,
      lease_until bigint?, next_at bigint?, created_at bigint, started_at bigint?, finished_at bigint?`,
  })
  await createIndexes(db, 'job', { job_created: 'created_at, id', job_state: 'state, lease_until' })
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
