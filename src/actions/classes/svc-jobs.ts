// SVC_Jobs: lists, shows, cancels and retries jobs, which are work that outlasts a call, or that recurs.

import { type Static, Type } from 'typebox'
import { Failure, notFound } from '../../failure.ts'
import { type Caller, includesTier, limitsOf } from '../../identity/caller.ts'
import { askToCancel, findJob, findLatestJob, type JobQuery, jobStates, type JobState } from '../../jobs/job-store.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { JobRow } from '../../store/schema.ts'
import { action, type Context } from '../action.ts'
import { ofOtherActions } from '../failures.ts'
import type { CallOptions } from '../options.ts'
import { dispatch } from '../dispatch.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec, onlyValues } from '../list.ts'
import type { WherePart } from '../where-part.ts'
import { nullable, writeProperties } from '../write-answer.ts'

const jobList: ListSpec<'job'> = {
  table: 'job',
  key: 'id',
  fields: {
    id: { column: 'id', kind: 'text', indexed: true },
    call: { column: 'call', kind: 'text', indexed: true, ordered: ['created_at'] },
    state: { column: 'state', kind: 'choice', choices: jobStates, indexed: true, ordered: ['created_at'] },
    created_at: { column: 'created_at', kind: 'time', sort: true },
    next_run: { column: 'next_at', kind: 'time', sort: true, nullable: true, indexed: true },
  },
  sort: '-created_at',
  search: ['call'],
}

const jobItem = Type.Object({
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

const wholeJob = Type.Object({
  ...jobItem.properties,
  result: nullable(Type.Unknown(), 'The answer of the call, once it is done.'),
  error: nullable(Type.Unknown(), 'The failure that ended the last run.'),
})

const at = (ms: number | null): string | null => (ms === null ? null : formatDate(ms))

function itemOf(row: JobRow): Static<typeof jobItem> {
  return {
    id: row.id,
    call: row.call,
    by: row.by_name,
    state: row.state as JobState,
    progress: row.progress === null ? null : (JSON.parse(row.progress) as Static<typeof jobItem>['progress']),
    attempts: row.attempts,
    created_at: formatDate(row.created_at),
    started_at: at(row.started_at),
    finished_at: at(row.finished_at),
    next_run: at(row.next_at),
  }
}

function wholeOf(row: JobRow): Static<typeof wholeJob> {
  const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
  return { ...itemOf(row), result: parsed(row.result), error: parsed(row.error) }
}

/** An admin sees all jobs; with a limited token, only its own. */
const seesAll = (caller: Caller): boolean => includesTier(caller.tier, 'admin') && limitsOf(caller).length === 0

/** Other callers list the jobs of `narrowFor`, which an index has in the order of their creation. */
function onlyFor(caller: Caller): readonly WherePart[] {
  const { account, token } = caller
  if (seesAll(caller)) return []
  const column = token ? 'token_id' : 'account_id'
  return [
    onlyValues('job', { column, kind: 'text', indexed: true, ordered: ['created_at'] }, [token ? token.id : (account?.id ?? '')]),
  ]
}

/** Other callers see the jobs of their token; without a token, the jobs of their account. */
function narrowFor(caller: Caller): (query: JobQuery) => JobQuery {
  const { account, token } = caller
  if (seesAll(caller)) return (query) => query
  return (query) => (token ? query.where('job.token_id', '=', token.id) : query.where('job.account_id', '=', account?.id ?? ''))
}

/**
 * The job with this id; for `latest`, the newest job in one of these states.
 * @throws Failure `not_found`, also for a job that the caller may not see
 */
async function getJob(context: Context, id: string, states: readonly JobState[] = jobStates): Promise<JobRow> {
  const { db, caller } = context
  const row = id === 'latest' ? await findLatestJob(db, states, narrowFor(caller)) : await findJob(db, id)
  const own = row && (caller.token ? row.token_id === caller.token.id : row.account_id === caller.account?.id)
  if (!row || !(own || seesAll(caller))) throw notFound('job', id, 'SVC_Jobs.list lists those that you can see.')
  return row
}

const idProperty = Type.String({
  description:
    'Id of a job, from the answer of the call that started it. `latest` is the newest job that this action can be used on.',
  minLength: 1,
  maxLength: 200,
})

export const jobsList = action({
  class: 'SVC_Jobs',
  name: 'list',
  title: 'List the jobs',
  summary: 'Lists the jobs of your calls, newest first. An admin sees all jobs, including recurring work.',
  tier: 'read',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: Type.Object(listProperties(jobList), { additionalProperties: false }),
  output: listOutput(jobItem),
  examples: [{ title: 'What runs now', input: { where: { state: 'running' } } }],
  async run(context, input: ListInput) {
    const page = await listRows(context, jobList, input, { only: onlyFor(context.caller) })
    return listAnswer(context, page, (row) => itemOf(row))
  },
})

const lookMs = 250

export const jobsGet = action({
  class: 'SVC_Jobs',
  name: 'get',
  title: 'Show a job',
  summary: 'Shows a job with its progress, result or failure. With `wait`, it waits for the job to end.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  batchable: false,
  input: Type.Object(
    {
      id: idProperty,
      wait: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 20, description: 'Seconds to wait for the job to end. The default is 0.' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ item: wholeJob }),
  examples: [{ title: 'Wait for the newest job to end', input: { id: 'latest', wait: 20 } }],
  async run(context, { id, wait = 0 }) {
    const { signal } = context
    const until = performance.now() + wait * 1000
    const first = await getJob(context, id)
    for (;;) {
      const row = await getJob(context, first.id)
      if (row.state !== 'running' || performance.now() >= until || signal.aborted) return { item: wholeOf(row) }
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
  },
})

export const jobsCancel = action({
  class: 'SVC_Jobs',
  name: 'cancel',
  title: 'Cancel [the job {title}|a job]',
  summary: 'Cancels a running job. Unfinished work is rolled back.',
  did: 'cancelled [the job {title}|a job]',
  tier: 'content',
  effect: 'act',
  failures: ['not_found', 'conflict'],
  touches: 'calls',
  input: Type.Object({ id: idProperty }, { additionalProperties: false }),
  output: Type.Object({ item: jobItem, changed: Type.Array(Type.String()), ...writeProperties }),
  examples: [{ title: 'Cancel the newest job', input: { id: 'latest' } }],
  async run(context, { id }) {
    const { db, site, afterCommit } = context
    const row = await getJob(context, id, ['running'])
    if (!(await askToCancel(db, row.id))) {
      throw new Failure('conflict', `This job is not running: it is ${row.state}.`, {
        id,
        hint: row.name === null ? 'SVC_Jobs.get has its result.' : 'Recurring work is turned off in its own settings.',
      })
    }
    afterCommit(() => site.jobs.look())
    return { item: itemOf(row), changed: ['state'], warnings: [], activity_id: null }
  },
})

export const jobsRetry = action({
  class: 'SVC_Jobs',
  name: 'retry',
  title: 'Start [the job {title}|a job] again',
  summary: 'Runs a failed or cancelled job again, with the rights that you have now.',
  did: 'started [the job {title}|a job] again',
  tier: 'content',
  effect: 'act',
  failures: ofOtherActions,
  touches: 'calls',
  outside: true,
  batchable: false,
  input: Type.Object({ id: idProperty }, { additionalProperties: false }),
  output: Type.Object({ item: jobItem, changed: Type.Array(Type.String()), ...writeProperties }),
  examples: [{ title: 'Retry the newest job', input: { id: 'latest' } }],
  async run(context, { id }) {
    const { site, caller, origin, dryRun } = context
    const row = await getJob(context, id, ['failed', 'cancelled'])
    if (row.state !== 'failed' && row.state !== 'cancelled')
      throw new Failure('conflict', `Only a failed or cancelled job can run again. This one is ${row.state}.`, { id })
    const { input, options } = JSON.parse(row.arguments ?? '{}') as { input?: Record<string, unknown>; options?: CallOptions }
    if (input === undefined)
      throw new Failure('refused', 'The arguments of this job were not stored. Make the call again.', {
        rule: 'secrets and long arguments are not stored',
      })
    if (dryRun) return { item: itemOf(row), changed: ['state'], warnings: [], activity_id: null }
    const call = { name: row.call, input, options: options ?? {} }
    const outcome = await dispatch(site, caller, call, { origin, jobWaitMs: 0, restarts: row.id })
    if (!outcome.ok) throw outcome.failure
    const now = (await findJob(site.store.read, row.id)) ?? row
    return { item: itemOf(now), changed: ['state'], warnings: [], activity_id: null }
  },
})
