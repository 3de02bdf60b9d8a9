import { type Static, Type } from 'typebox'
import type { JobRow } from '../../store/core/schema.ts'
import { action } from '../call/action.ts'
import { nullable } from '../call/write-answer.ts'
import { jobItem, itemOf, getJob, idProperty } from './job-item.ts'
import { closed } from '../../base/schema.ts'

const wholeJob = Type.Object({
  ...jobItem.properties,
  result: nullable(Type.Unknown(), 'The answer of the call, once it is done.'),
  error: nullable(Type.Unknown(), 'The failure that ended the last run.'),
})

function wholeOf(row: JobRow): Static<typeof wholeJob> {
  const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
  return { ...itemOf(row), result: parsed(row.result), error: parsed(row.error) }
}

const lookMs = 250

export const get = action('SVC_Jobs.get', {
  title: 'Show a job',
  summary: 'Shows a job with its progress, result or failure. With `wait`, it waits for the job to end.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  batchable: false,
  input: closed({
    id: idProperty,
    wait: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 20, description: 'Seconds to wait for the job to end. The default is 0.' }),
    ),
  }),
  output: Type.Object({ item: wholeJob }),
  examples: [{ title: 'Wait for the newest job to end', input: { id: 'latest', wait: 20 } }],
  async run(context, { id, wait = 0 }) {
    const { signal } = context
    const until = performance.now() + wait * 1000
    const first = await getJob(context, id)
    for (;;) {
      const row = await getJob(context, first.id)
      const { progress } = itemOf(row)
      if (progress) context.progress?.(progress)
      if (row.state !== 'running' || performance.now() >= until || signal.aborted) return { item: wholeOf(row) }
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
  },
})
