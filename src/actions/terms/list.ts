import { countPublicEntries, findTerm } from '../../content/terms/terms.ts'
import type { TermRow } from '../../store/core/schema.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'
import type { ListField } from '../lists/field.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec, onlyValues } from '../lists/list.ts'
import { action } from '../call/action.ts'
import { termItem, termItemOf } from './item.ts'
import { getTaxonomy } from './taxonomy-item.ts'

/** Each sort has an index that begins with the taxonomy. */
const ofTaxonomy: ListField = {
  column: 'taxonomy',
  kind: 'text',
  indexed: true,
  ordered: ['name', 'slug', 'created_at', 'updated_at'],
}

const termList: ListSpec<'term'> = {
  table: 'term',
  key: 'id',
  fields: {
    id: { column: 'id', kind: 'text', indexed: true },
    ref: { column: 'ref', kind: 'text', indexed: true },
    slug: { column: 'slug', kind: 'text', sort: true },
    name: { column: 'name', kind: 'text', sort: true },
    parent: {
      column: 'parent_id',
      kind: 'text',
      nullable: true,
      indexed: true,
      ordered: ['name'],
      resolve: async (ref, { db }) => (await findTerm(db, ref))?.id ?? null,
    },
    created_at: { column: 'created_at', kind: 'time', sort: true },
    updated_at: { column: 'updated_at', kind: 'time', sort: true },
  },
  sort: 'name',
  search: ['name', 'slug', 'text'],
}

export const list = action('SVC_Terms.list', {
  title: 'List categories, tags and other terms',
  summary: 'Lists the terms of a taxonomy, each with the number of its public entries.',
  tier: 'any',
  effect: 'read',
  failures: ['not_found'],
  input: closed({
    taxonomy: nonEmptyText('Slug of a taxonomy, such as `category` or `tag`.', 100),
    ...listProperties(termList),
  }),
  output: listOutput(termItem),
  examples: [
    { title: 'All categories', input: { taxonomy: 'category', limit: 100 } },
    { title: 'Tags about something', input: { taxonomy: 'tag', search: 'boat' } },
  ],
  async run(context, { taxonomy, ...input }) {
    await getTaxonomy(context.db, taxonomy)
    const page = await listRows(context, termList, { ...input, taxonomy } as ListInput, {
      only: [onlyValues('term', ofTaxonomy, [taxonomy])],
    })
    const rows = page.rows as readonly TermRow[]
    const counts = await countPublicEntries(
      context.db,
      rows.map(({ id }) => id),
    )
    return listAnswer(context, page, (row) =>
      termItemOf(context, row as TermRow, counts.get((row as TermRow).id) ?? 0, context.select !== undefined),
    )
  },
})
