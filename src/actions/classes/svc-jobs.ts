// SVC_Jobs: work that outlasts a call, and work that recurs: seen, waited for, cancelled and run again.

import { type Static, Type } from 'typebox'
import { Failure } from '../../failure.ts'
import { type Caller, includesTier } from '../../identity/caller.ts'
import { askToCancel, findJob, getJob, jobStates } from '../../jobs/job-store.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { JobRow } from '../../store/schema.ts'
import { type Action, action } from '../action.ts'
import type { CallOptions } from '../options.ts'
import { dispatch } from '../dispatch.ts'
import { listAnswer, type ListInput, listOutput, type ListOptions, listProperties, listRows, type ListSpec } from '../list.ts'
import { nullable, writeProperties } from '../write-answer.ts'

const jobList: ListSpec<'job'> = {
  table: 'job',
  key: 'id',
  fields: {
    id: { column: 'id', kind: 'text' },
    call: { column: 'call', kind: 'text' },
    state: { column: 'state', kind: 'choice', choices: jobStates },
    created_at: { column: 'created_at', kind: 'time', sort: true },
    next_run: { column: 'next_at', kind: 'time', sort: true },
  },
  sort: '-created_at',
  search: ['call'],
}

const jobItem = Type.Object({
  id: Type.String(),
  call: Type.String({ description: 'The action that runs, or the plugin whose job it is.' }),
  by: Type.String({ description: 'Who called it; `Postern` for recurring work.' }),
  state: Type.Enum([...jobStates], { description: '`waiting`: recurring work between two runs.' }),
  progress: nullable(
    Type.Object({ done: Type.Number(), total: Type.Optional(Type.Number()), note: Type.Optional(Type.String()) }),
    'How far it is, where the work tells.',
  ),
  attempts: Type.Integer(),
  created_at: Type.String(),
  started_at: nullable(Type.String()),
  ended_at: nullable(Type.String()),
  next_run: nullable(Type.String(), 'When recurring work is due next.'),
})

const wholeJob = Type.Object({
  ...jobItem.properties,
  result: nullable(Type.Unknown(), 'What the call answered, once it is done.'),
  error: nullable(Type.Unknown(), 'The failure that ended the last run.'),
})

const at = (ms: number | null): string | null => (ms === null ? null : formatDate(ms))

function itemOf(row: JobRow): Static<typeof jobItem> {
  return {
    id: row.id,
    call: row.call,
    by: row.by_name,
    state: row.state as (typeof jobStates)[number],
    progress: row.progress === null ? null : (JSON.parse(row.progress) as Static<typeof jobItem>['progress']),
    attempts: row.attempts,
    created_at: formatDate(row.created_at),
    started_at: at(row.started_at),
    ended_at: at(row.ended_at),
    next_run: at(row.next_at),
  }
}

function wholeOf(row: JobRow): Static<typeof wholeJob> {
  const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
  return { ...itemOf(row), result: parsed(row.result), error: parsed(row.error) }
}

/** An admin sees all jobs; a token that is limited to classes sees its own alone. */
const seesAll = ({ tier, token }: Caller): boolean => includesTier(tier, 'admin') && token?.limits.classes === undefined

/** Others see the jobs of their own calls: of their token, or of their account where they came without one. */
function sees(caller: Caller): (row: JobRow) => boolean {
  const { account, token } = caller
  return (row) => seesAll(caller) || (token ? row.token_id === token.id : account !== null && row.account_id === account.id)
}

function narrowFor(caller: Caller): ListOptions<'job', keyof JobRow>['narrow'] {
  const { account, token } = caller
  if (seesAll(caller)) return undefined
  return (query) => (token ? query.where('job.token_id', '=', token.id) : query.where('job.account_id', '=', account?.id ?? ''))
}

const idProperty = Type.String({ description: 'Id of a job, as the call that began it answered.', minLength: 1, maxLength: 200 })

const list = action({
  class: 'SVC_Jobs',
  name: 'list',
  summary: 'Lists the jobs of your own calls, the newest first; for an admin all jobs, recurring work among them.',
  tier: 'read',
  effect: 'read',
  input: Type.Object(listProperties(jobList), { additionalProperties: false }),
  output: listOutput(jobItem),
  examples: [{ title: 'What runs now', input: { where: { state: 'running' } } }],
  async run(context, input: ListInput) {
    const narrow = narrowFor(context.caller)
    const page = await listRows(context, jobList, input, narrow ? { narrow } : {})
    return listAnswer(context, page, (row) => itemOf(row))
  },
})

const lookMs = 250

const get = action({
  class: 'SVC_Jobs',
  name: 'get',
  summary: 'Shows a job with its progress and, once it has ended, its result or its failure; waits for its end where asked.',
  tier: 'read',
  effect: 'read',
  batchable: false,
  input: Type.Object(
    {
      id: idProperty,
      wait: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 20, description: 'Seconds to wait for the job to end; 0 unless told.' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ item: wholeJob }),
  examples: [],
  async run({ site, caller, signal }, { id, wait = 0 }) {
    const visible = sees(caller)
    const until = performance.now() + wait * 1000
    for (;;) {
      const row = await getJob(site.store.read, id, visible)
      if (row.state !== 'running' || performance.now() >= until || signal.aborted) return { item: wholeOf(row) }
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
  },
})

const cancel = action({
  class: 'SVC_Jobs',
  name: 'cancel',
  summary: 'Ends a running job. What it had not finished is undone.',
  tier: 'content',
  effect: 'act',
  input: Type.Object({ id: idProperty }, { additionalProperties: false }),
  output: Type.Object({ item: jobItem, changed: Type.Array(Type.String()), ...writeProperties }),
  examples: [],
  async run({ db, site, caller, afterCommit }, { id }) {
    const row = await getJob(db, id, sees(caller))
    if (!(await askToCancel(db, row.id))) {
      throw new Failure('conflict', `This job does not run: it is ${row.state}.`, {
        id,
        hint: row.name === null ? 'SVC_Jobs.get has what came of it.' : 'Recurring work is switched off where it is set up.',
      })
    }
    afterCommit(() => site.jobs.look())
    return { item: itemOf(row), changed: ['state'], warnings: [], activity_id: null }
  },
})

const retry = action({
  class: 'SVC_Jobs',
  name: 'retry',
  summary: 'Runs a job that failed or was cancelled once more, with the rights that you have now.',
  tier: 'content',
  effect: 'act',
  outside: true,
  batchable: false,
  input: Type.Object({ id: idProperty }, { additionalProperties: false }),
  output: Type.Object({ item: jobItem, changed: Type.Array(Type.String()), ...writeProperties }),
  examples: [],
  async run({ site, caller, origin, dryRun }, { id }) {
    const row = await getJob(site.store.read, id, sees(caller))
    if (row.state !== 'failed' && row.state !== 'cancelled')
      throw new Failure('conflict', `Only a job that failed or was cancelled runs again: this one is ${row.state}.`, { id })
    if (row.arguments === null)
      throw new Failure('refused', 'The arguments of this job were not kept: make the call again.', {
        rule: 'secrets and long arguments are not stored',
      })
    if (dryRun) return { item: itemOf(row), changed: ['state'], warnings: [], activity_id: null }
    const { input, options } = JSON.parse(row.arguments) as { input: Record<string, unknown>; options: CallOptions }
    const outcome = await dispatch(site, caller, { name: row.call, input, options }, { origin, jobWaitMs: 0, restarts: row.id })
    if (!outcome.ok) throw outcome.failure
    const now = (await findJob(site.store.read, row.id)) ?? row
    return { item: itemOf(now), changed: ['state'], warnings: [], activity_id: null }
  },
})

export const jobActions: readonly Action[] = [list, get, cancel, retry]
