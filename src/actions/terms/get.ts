import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { getTerm } from '../shared/term-names.ts'
import { oneTerm, termItem } from './item.ts'
import { termId } from './fields.ts'

export const get = action('SVC_Terms.get', {
  title: 'Show a term',
  summary: 'Shows one term, with the number of its public entries.',
  tier: 'any',
  effect: 'read',
  failures: ['not_found'],
  input: closed({ id: termId }),
  output: Type.Object({ item: termItem, count: Type.Integer({ description: 'The same as `item.count`.' }) }),
  examples: [{ title: 'A category by its name', input: { id: 'category/news' } }],
  async run(context, { id }) {
    const item = await oneTerm(context, await getTerm(context.db, id), true)
    return { item, count: item.count }
  },
})
