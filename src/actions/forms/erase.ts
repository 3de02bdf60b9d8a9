import { Type } from 'typebox'
import { closed, nonEmptyText, severalOf } from '../../base/schema.ts'
import { invalid, notFound } from '../../base/failure.ts'
import { action } from '../call/action.ts'
import { manyAnswer, manyOutput } from '../call/write-answer.ts'
import { removeFiles } from '../../forms/form-files.ts'
import { checkExpected, expectProperty } from '../shared/expect.ts'

/** The most submissions of a call, the oldest first. */
const atMost = 1000

export const erase = action('SVC_Forms.erase', {
  title: 'Erase submissions',
  summary:
    'Erases submissions with their files for good: some, or all of a sender, as somebody may ask for who wrote to the site.',
  did: 'erased submissions',
  tier: 'admin',
  effect: 'destroy',
  touches: 'access',
  failures: ['not_found', 'conflict'],
  input: closed({
    ids: Type.Optional(severalOf(nonEmptyText('Id of a submission.', 40), 'The submissions.', 100)),
    email: Type.Optional(nonEmptyText('The address of the sender.', 254)),
    expect: expectProperty('submissions'),
  }),
  output: manyOutput,
  examples: [{ title: 'All of a sender', input: { email: 'anna@example.com', expect: 0 } }],
  async run({ db, site, afterCommit }, { ids, email, expect }) {
    if ((ids === undefined) === (email === undefined))
      throw invalid('ids', 'Name the submissions, or the address of their sender.', 'one of `ids` and `email`')
    const query = db.selectFrom('form_submission').select('id').orderBy('created_at').limit(atMost)
    const chosen = await (ids ? query.where('id', 'in', ids) : query.where('email', '=', email ?? '')).execute()
    const missing = ids?.find((id) => !chosen.some((one) => one.id === id))
    if (missing !== undefined) throw notFound('submission', missing, 'SVC_Forms.submissions lists them.')
    checkExpected(chosen.length, expect, 'submissions')
    const gone = chosen.map(({ id }) => id)
    if (gone.length > 0) await db.deleteFrom('form_submission').where('id', 'in', gone).execute()
    afterCommit(() => removeFiles(site.config.POSTERN_HOME, gone))
    return manyAnswer(gone, [])
  },
})
