import { itemAnswer } from '../call/write-answer.ts'
import { insertTerm } from '../../content/terms/write-term.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { writingOf } from '../content/writing.ts'
import { oneTerm } from './item.ts'
import { getTaxonomy } from './taxonomy-item.ts'
import { columnsOf, fields, lineOf, name, output } from './fields.ts'

export const create = action('SVC_Terms.create', {
  title: 'Create [the term {title}|a term]',
  summary: 'Adds a term to a taxonomy, such as a category or a tag.',
  did: 'created [the term {title}|a term]',
  object: { kind: 'term', page: 'term' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'exists'],
  touches: 'site',
  input: closed({
    taxonomy: nonEmptyText('Slug of the taxonomy: `category`, `tag` or one of your own.', 100),
    name,
    ...fields,
  }),
  output,
  examples: [
    { title: 'A tag', input: { taxonomy: 'tag', name: 'Boats' } },
    { title: 'A category below another', input: { taxonomy: 'category', name: 'Local news', parent: 'category/news' } },
  ],
  async run(context, { taxonomy, ...given }) {
    const { slug } = await getTaxonomy(context.db, taxonomy)
    const row = await insertTerm(writingOf(context), slug, {
      ...(await columnsOf(context, given, undefined)),
      name: lineOf(given.name),
    })
    return itemAnswer(await oneTerm(context, row), [])
  },
})
