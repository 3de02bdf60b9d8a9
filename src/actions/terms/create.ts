import { itemAnswer, type WriteWarning } from '../call/write-answer.ts'
import { listTermsNamed } from '../../content/terms/named-terms.ts'
import { findTerm } from '../../content/terms/terms.ts'
import { insertTerm } from '../../content/terms/write-term.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'
import type { TermPatch } from '../../content/terms/write-term.ts'
import type { TermRow } from '../../store/core/schema.ts'
import { action, type WriteContext } from '../call/action.ts'
import { writingOf } from '../content/writing.ts'
import { oneTerm } from './item.ts'
import { getTaxonomy } from './taxonomy-item.ts'
import { columnsOf, fields, lineOf, name, output } from './fields.ts'

export const create = action('SVC_Terms.create', {
  title: 'Create [the category or tag {title}|a category or tag]',
  summary: 'Adds a term to a taxonomy, such as a category or a tag. A name that is there answers its term.',
  did: 'created [the category or tag {title}|a category or tag]',
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
    const columns = { ...(await columnsOf(context, given, undefined)), name: lineOf(given.name) }
    const same = await findSame(context, slug, columns)
    if (same) return itemAnswer(await oneTerm(context, same), [], [termExists(same, given)])
    return itemAnswer(await oneTerm(context, await insertTerm(writingOf(context), slug, columns)), [])
  },
})

/** Returns the term with the same name at the same place. Another slug asks for another term. */
async function findSame(
  { change }: WriteContext,
  taxonomy: string,
  { name: line, parent_id: parent, slug }: TermPatch & { readonly name: string },
): Promise<TermRow | undefined> {
  const named = await listTermsNamed(change, taxonomy, line)
  const same = named.find((one) => one.parent_id === (parent ?? null) && (slug === undefined || slug === one.slug))
  return same && findTerm(change.db, same.id)
}

function termExists(
  { ref, name: line }: TermRow,
  { text, seo }: { readonly text?: unknown; readonly seo?: unknown },
): WriteWarning {
  const left = Object.entries({ text, seo }).flatMap(([field, value]) => (value === undefined ? [] : [`\`${field}\``]))
  const unchanged = left.length === 0 ? '' : ` Its ${left.join(' and ')} stayed as they were: SVC_Terms.update changes them.`
  return {
    code: 'term_exists',
    message: `There is the term ${ref} with the name ${JSON.stringify(line)}, so none was made.${unchanged}`,
    found: [ref],
  }
}
