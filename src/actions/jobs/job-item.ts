// A job in the answers of SVC_Jobs: work that outlasts a call, or recurring work.

import { type Static, Type } from 'typebox'
import { notFound } from '../../base/failure.ts'
import { type Caller, includesTier, limitsOf } from '../../identity/caller.ts'
import { findJob, findLatestJob, type JobQuery, jobStates, type JobState } from '../../jobs/job-store.ts'
import { nonEmptyText } from '../../base/schema.ts'
import { formatDate, formatDateOrNull } from '../../settings/time-zone.ts'
import type { JobRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import { nullable } from '../call/write-answer.ts'

export const jobItem = Type.Object({
  id: Type.String(),
  call: Type.String({ description: 'The action that runs, or the plugin that the job belongs to.' }),
  by: Type.String({ description: 'Who made the call; `Postern` for recurring work.' }),
  state: Type.Enum([...jobStates], { description: '`waiting`: recurring work between two runs.' }),
  progress: nullable(
    Type.Object({ done: Type.Number(), total: Type.Optional(Type.Number()), note: Type.Optional(Type.String()) }),
    'How far the work is, where the action reports it.',
  ),
  attempts: Type.Integer(),
  created_at: Type.String(),
  started_at: nullable(Type.String()),
  finished_at: nullable(Type.String()),
  next_run: nullable(Type.String(), 'When recurring work runs next.'),
})

export type JobItem = Static<typeof jobItem>

export function itemOf(row: JobRow): JobItem {
  return {
    id: row.id,
    call: row.call,
    by: row.by_name,
    state: row.state as JobState,
    progress: row.progress === null ? null : (JSON.parse(row.progress) as JobItem['progress']),
    attempts: row.attempts,
    created_at: formatDate(row.created_at),
    started_at: formatDateOrNull(row.started_at),
    finished_at: formatDateOrNull(row.finished_at),
    next_run: formatDateOrNull(row.next_at),
  }
}

/** True for an admin without limits, who sees all jobs. */
export const seesAll = (caller: Caller): boolean => includesTier(caller.tier, 'admin') && limitsOf(caller).length === 0

/** The condition for all other callers: the jobs of their token or, without a token, those of their account. */
function narrowFor(caller: Caller): (query: JobQuery) => JobQuery {
  const { account, token } = caller
  if (seesAll(caller)) return (query) => query
  return (query) => (token ? query.where('job.token_id', '=', token.id) : query.where('job.account_id', '=', account?.id ?? ''))
}

/**
 * Returns the job with this id; for `latest`, the newest job in one of these states.
 * @throws Failure `not_found`, also for a job that the caller may not see
 */
export async function getJob(context: Context, id: string, states: readonly JobState[] = jobStates): Promise<JobRow> {
  const { db, caller } = context
  const row = id === 'latest' ? await findLatestJob(db, states, narrowFor(caller)) : await findJob(db, id)
  const own = row && (caller.token ? row.token_id === caller.token.id : row.account_id === caller.account?.id)
  if (!row || !(own || seesAll(caller))) throw notFound('job', id, 'SVC_Jobs.list lists those that you can see.')
  return row
}

export const idProperty = nonEmptyText(
  'Id of a job, from the answer of the call that started it. `latest` is the newest job that this action can be used on.',
  200,
)
