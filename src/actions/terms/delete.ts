import { deleteTerm } from '../../content/terms/write-term.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { doneOutput } from '../call/write-answer.ts'
import { writingOf } from '../content/writing.ts'
import { eachTerm, idsProperty } from './each-term.ts'

export const remove = action('SVC_Terms.delete', {
  title: 'Delete [the category or tag {title}|a category or tag]',
  summary: 'Deletes terms. Their entries stay, without them; the terms below them move up.',
  did: 'deleted [the category or tag {title}|a category or tag]',
  object: { kind: 'term', page: 'term' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'exists', 'in_use'],
  touches: 'site',
  input: closed({ ids: idsProperty }),
  output: doneOutput,
  examples: [{ title: 'One tag', input: { ids: ['tag/sale'] } }],
  async run(context, { ids }) {
    return eachTerm(context, ids, (row) => deleteTerm(writingOf(context), row))
  },
})
