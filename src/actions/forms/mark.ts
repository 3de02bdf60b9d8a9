import { Type } from 'typebox'
import { closed, nonEmptyText, severalOf } from '../../base/schema.ts'
import { markSubmissions } from '../../forms/form-store.ts'
import { action } from '../call/action.ts'
import { doneOutput } from '../call/write-answer.ts'
import { doneAnswer } from '../shared/several.ts'
import { states } from './submissions.ts'

export const mark = action('SVC_Forms.mark', {
  title: 'Mark submissions',
  summary: 'Marks submissions as new, done or spam. Spam is kept for 30 days.',
  did: 'marked submissions',
  tier: 'admin',
  effect: 'act',
  touches: 'access',
  failures: ['not_found'],
  input: closed({
    ids: severalOf(nonEmptyText('Id of a submission.', 40), 'The submissions.', 100),
    status: Type.Enum([...states], { description: 'What they are now.' }),
  }),
  output: doneOutput,
  examples: [{ title: 'Answered', input: { ids: ['01k8zq4v6m3t5c9e2n7r1x0bfd'], status: 'done' } }],
  async run({ db }, { ids, status }) {
    const done = await markSubmissions(db, ids, status)
    const unchanged = ids.filter((id) => !done.includes(id))
    return doneAnswer(
      done.map((id) => ({ id })),
      unchanged.map((id) => ({ id })),
    )
  },
})
