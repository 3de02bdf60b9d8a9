import { Failure } from '../../base/failure.ts'
import { findJob } from '../../jobs/job-store.ts'
import { action } from '../call/action.ts'
import { ofOtherActions } from '../call/failures.ts'
import type { CallOptions } from '../call/options.ts'
import { dispatch } from '../call/dispatch.ts'
import { itemOutput } from '../call/write-answer.ts'
import { jobItem, itemOf, getJob, idProperty } from './job-item.ts'
import { closed } from '../../base/schema.ts'

export const retry = action('SVC_Jobs.retry', {
  title: 'Start [the job {title}|a job] again',
  summary: 'Runs a failed or cancelled job again, with the rights that you have now.',
  did: 'started [the job {title}|a job] again',
  tier: 'content',
  effect: 'act',
  failures: ofOtherActions,
  touches: 'calls',
  outside: true,
  batchable: false,
  input: closed({ id: idProperty }),
  output: itemOutput(jobItem),
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
