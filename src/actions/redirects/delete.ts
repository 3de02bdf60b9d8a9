import { doneAnswer, eachOnce } from '../shared/several.ts'
import { closed, severalOf } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { doneOutput } from '../call/write-answer.ts'
import { getRedirect, idProperty } from './item.ts'

export const remove = action('SVC_Redirects.delete', {
  title: 'Delete [the redirect {title}|a redirect]',
  summary: 'Deletes redirects.',
  did: 'deleted [the redirect {title}|a redirect]',
  tier: 'content',
  effect: 'write',
  failures: ['not_found'],
  touches: 'site',
  input: closed({
    ids: severalOf(idProperty, 'Ids of redirects, or the paths that they are from.', 100),
  }),
  output: doneOutput,
  examples: [{ title: 'One by its path', input: { ids: ['/old-shop'] } }],
  async run(context, { ids }) {
    const rows = await eachOnce(ids, (id) => getRedirect(context, id))
    for (const row of rows) await context.change.remove('redirect', row)
    return doneAnswer(rows)
  },
})
