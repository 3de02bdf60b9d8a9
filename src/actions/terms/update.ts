import { itemAnswer } from '../call/write-answer.ts'
import { Type } from 'typebox'
import { changeTerm } from '../../content/terms/write-term.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { combineFields } from '../call/combine.ts'
import { getTerm } from '../shared/term-names.ts'
import { writingOf } from '../content/writing.ts'
import { oneTerm } from './item.ts'
import { columnsOf, fields, name, output, termId } from './fields.ts'

export const update = action('SVC_Terms.update', {
  title: 'Change [the category or tag {title}|a category or tag]',
  summary: 'Changes a term. A new slug redirects the old archive.',
  did: 'changed [the category or tag {title}|a category or tag]',
  object: { kind: 'term', page: 'term' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'exists'],
  touches: 'site',
  revisioned: true,
  combine: combineFields,
  input: closed({ id: termId, name: Type.Optional(name), ...fields }),
  output,
  examples: [{ title: 'Another name and slug', input: { id: 'category/news', name: 'Latest news', slug: 'latest-news' } }],
  async run(context, { id, ...given }) {
    const before = await getTerm(context.db, id)
    const { row, changed } = await changeTerm(writingOf(context), before, await columnsOf(context, given, before))
    const shown = changed.map((column) => (column === 'parent_id' ? 'parent' : column))
    return itemAnswer(await oneTerm(context, row), shown)
  },
})
