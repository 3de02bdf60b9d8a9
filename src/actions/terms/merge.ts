import { mergeTerm } from '../../content/terms/write-term.ts'
import { invalid } from '../../base/failure.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { getTerm } from '../shared/term-names.ts'
import { doneOutput } from '../call/write-answer.ts'
import { writingOf } from '../content/writing.ts'
import { termId } from './fields.ts'
import { eachTerm, idsProperty } from './each-term.ts'

export const merge = action('SVC_Terms.merge', {
  title: 'Merge [the categories or tags {title}|categories or tags]',
  summary: 'Merges terms into another of the same taxonomy. Their archives redirect to its archive.',
  did: 'merged [the categories or tags {title}|categories or tags]',
  object: { kind: 'term', page: 'term' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'exists', 'in_use'],
  touches: 'site',
  input: closed({ ids: idsProperty, into: termId }),
  output: doneOutput,
  examples: [{ title: 'One tag into another', input: { ids: ['tag/sale'], into: 'tag/offers' } }],
  async run(context, { ids, into }) {
    const target = await getTerm(context.db, into)
    return eachTerm(context, ids, async (row, at) => {
      if (row.id === target.id || row.taxonomy !== target.taxonomy)
        throw invalid(`ids.${at}`, `${row.ref} can't be merged into ${target.ref}.`, `another term of ${target.taxonomy}`)
      await mergeTerm(writingOf(context), row, await getTerm(context.db, target.id))
    })
  },
})
