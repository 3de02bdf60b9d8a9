import { Failure } from '../../base/failure.ts'
import { askToCancel } from '../../jobs/job-store.ts'
import { action } from '../call/action.ts'
import { itemOutput } from '../call/write-answer.ts'
import { jobItem, itemOf, getJob, idProperty } from './job-item.ts'
import { closed } from '../../base/schema.ts'

export const cancel = action('SVC_Jobs.cancel', {
  title: 'Cancel [the job {title}|a job]',
  summary: 'Cancels a running job. Unfinished work is rolled back.',
  did: 'cancelled [the job {title}|a job]',
  tier: 'content',
  effect: 'act',
  failures: ['not_found', 'conflict'],
  touches: 'calls',
  input: closed({ id: idProperty }),
  output: itemOutput(jobItem),
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
