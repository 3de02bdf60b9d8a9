// The rows of jobs. Each step that only one process may take is a single statement, so it is safe with any number of processes.

import type { SelectQueryBuilder } from 'kysely'
import type { Db, Store } from '../store/core/database.ts'
import type { JobRow, Schema } from '../store/core/schema.ts'

/** A job is `waiting` for its next turn, is `running`, or has ended in one of the other states. */
export const jobStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const
export type JobState = (typeof jobStates)[number]

/** A process renews its leases every five seconds. A process that has not renewed them for 30 seconds is considered dead. */
export const leaseMs = 30_000
export const renewMs = 5_000

/** The time for which jobs of calls are stored after their end: a week. */
export const keptMs = 7 * 24 * 60 * 60 * 1000

export type NewJob = Pick<JobRow, 'id' | 'call' | 'arguments' | 'account_id' | 'token_id' | 'by_name' | 'owner' | 'key'>

/** The end of a run. Both texts are JSON. */
export interface Ending {
  readonly state: 'done' | 'failed' | 'cancelled'
  readonly result: string | null
  readonly error: string | null
}

/** The columns of a row whose run a process begins. */
export const startedBy = (runner: string, now: number) => ({
  state: 'running',
  cancel: 0,
  runner,
  lease_until: now + leaseMs,
  started_at: now,
})

/** Adds the job of a call, running in this process. */
export async function insertJob(db: Db, job: NewJob, runner: string, now: number): Promise<void> {
  const empty = { name: null, progress: null, result: null, error: null, next_at: null, finished_at: null }
  await db
    .insertInto('job')
    .values({ ...job, ...empty, ...startedBy(runner, now), attempts: 1, created_at: now })
    .execute()
}

/**
 * Marks an ended job of a call as running again, in this process. @returns false if it has neither failed nor been cancelled, or
 * already runs again
 */
export async function restartJob(db: Db, id: string, runner: string, now: number): Promise<boolean> {
  const restarted = await db
    .updateTable('job')
    .set(({ eb }) => ({
      ...startedBy(runner, now),
      attempts: eb('attempts', '+', 1),
      finished_at: null,
      progress: null,
      result: null,
      error: null,
    }))
    .where('id', '=', id)
    .where('name', 'is', null)
    .where('state', 'in', ['failed', 'cancelled'])
    .returning('id')
    .executeTakeFirst()
  return restarted !== undefined
}

/** Extends the leases of all jobs of a process. `cancel` is 1 for cancelled jobs. */
export async function renewLeases(db: Db, runner: string, now: number): Promise<readonly Pick<JobRow, 'id' | 'cancel'>[]> {
  return db
    .updateTable('job')
    .set({ lease_until: now + leaseMs })
    .where('runner', '=', runner)
    .where('state', '=', 'running')
    .returning(['id', 'cancel'])
    .execute()
}

export async function noteProgress(db: Db, id: string, runner: string, progress: string): Promise<void> {
  await db.updateTable('job').set({ progress }).where('id', '=', id).where('runner', '=', runner).execute()
}

/** Stores the end of a job, unless the process has lost the lease. */
export async function endJob(db: Db, id: string, runner: string, ending: Ending, now: number): Promise<void> {
  await db
    .updateTable('job')
    .set({ ...ending, runner: null, lease_until: null, finished_at: now })
    .where('id', '=', id)
    .where('runner', '=', runner)
    .execute()
}

/** Marks the jobs of calls whose process died as failed. The database has rolled back their uncommitted work. */
export async function failAbandoned({ read, write }: Pick<Store, 'read' | 'write'>, now: number, error: string): Promise<void> {
  // This runs every few seconds and rarely finds a job, so a reader checks first.
  const abandoned = await read
    .selectFrom('job')
    .select('id')
    .where('name', 'is', null)
    .where('state', '=', 'running')
    .where('lease_until', '<', now)
    .limit(1)
    .executeTakeFirst()
  if (!abandoned) return
  await write
    .updateTable('job')
    .set({ state: 'failed', error, runner: null, lease_until: null, finished_at: now })
    .where('name', 'is', null)
    .where('state', '=', 'running')
    .where('lease_until', '<', now)
    .execute()
}

/** Requests the cancellation of a running job. @returns false if the job is not running */
export async function askToCancel(db: Db, id: string): Promise<boolean> {
  const asked = await db
    .updateTable('job')
    .set({ cancel: 1 })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  return asked !== undefined
}

/** Returns the running job of a call with this idempotency key. A job whose process died does not count as running. */
export async function findKeyedJob(db: Db, owner: string, key: string, now: number): Promise<JobRow | undefined> {
  return db
    .selectFrom('job')
    .selectAll()
    .where('state', '=', 'running')
    .where('lease_until', '>=', now)
    .where('owner', '=', owner)
    .where('key', '=', key)
    .executeTakeFirst()
}

export async function findJob(db: Db, id: string): Promise<JobRow | undefined> {
  return db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the newest job of a call in one of these states that matches `narrow`. */
export async function findLatestJob(
  db: Db,
  states: readonly JobState[],
  narrow: (query: JobQuery) => JobQuery,
): Promise<JobRow | undefined> {
  const id = await findLatestJobId(db, states, narrow)
  return id === undefined ? undefined : findJob(db, id)
}

/** Returns its id alone, because the results of jobs are long. */
export async function findLatestJobId(
  db: Db,
  states: readonly JobState[],
  narrow: (query: JobQuery) => JobQuery,
): Promise<string | undefined> {
  const all = db.selectFrom('job').select('job.id').where('job.name', 'is', null).where('job.state', 'in', states)
  const narrowed = narrow(all) as unknown as typeof all
  const row = await narrowed.orderBy('job.created_at', 'desc').orderBy('job.id', 'desc').limit(1).executeTakeFirst()
  return row?.id
}

export type JobQuery = SelectQueryBuilder<Schema, 'job', object>
