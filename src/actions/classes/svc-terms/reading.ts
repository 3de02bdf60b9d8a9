// SVC_Terms.taxonomies, list and get.

import { type Static, Type } from 'typebox'
import { listTaxonomies, type Taxonomy } from '../../../content/taxonomies.ts'
import { countPublicEntries, findTerm } from '../../../content/terms.ts'
import { findTaxonomy } from '../../../content/taxonomies.ts'
import { notFound } from '../../../failure.ts'
import type { Db } from '../../../store/database.ts'
import type { TermRow } from '../../../store/schema.ts'
import { action } from '../../action.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec, onlyValues } from '../../list.ts'
import type { ListField } from '../../list-field.ts'
import { nearest } from '../../nearest.ts'
import { getTerm } from '../../term-names.ts'
import { nullable } from '../../write-answer.ts'
import { oneTerm, termItem, termItemOf } from './item.ts'
import { closed } from '../../../schema.ts'

export const taxonomyItem = Type.Object({
  id: Type.String({ description: 'The slug.' }),
  slug: Type.String(),
  name: Type.String(),
  types: nullable(Type.Array(Type.String()), 'The types of entries that may have its terms; null for all types.'),
  tree: Type.Boolean({ description: 'Whether a term may stand below another.' }),
})

export const taxonomyItemOf = ({ slug, name, types, tree }: Taxonomy): Static<typeof taxonomyItem> => ({
  id: slug,
  slug,
  name,
  types: types && [...types],
  tree,
})

export const taxonomies = action('SVC_Terms.taxonomies', {
  title: 'List the taxonomies',
  summary: 'Lists the taxonomies: the kinds of terms, such as categories and tags.',
  tier: 'any',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: closed({}),
  output: Type.Object({ items: Type.Array(taxonomyItem) }),
  examples: [{ title: 'All of them', input: {} }],
  run: async ({ db }) => ({ items: (await listTaxonomies(db)).map(taxonomyItemOf) }),
})

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
  title: 'List terms',
  summary: 'Lists the terms of a taxonomy, each with the number of its public entries.',
  tier: 'any',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  input: closed({
    taxonomy: Type.String({ description: 'Slug of a taxonomy, such as `category` or `tag`.', minLength: 1, maxLength: 100 }),
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

export const termId = Type.String({ description: 'Id or name of a term, such as `category/news`.', minLength: 1, maxLength: 300 })

export const get = action('SVC_Terms.get', {
  title: 'Show a term',
  summary: 'Shows one term, with the number of its public entries.',
  tier: 'any',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  input: closed({ id: termId }),
  output: Type.Object({ item: termItem, count: Type.Integer({ description: 'The same as `item.count`.' }) }),
  examples: [{ title: 'A category by its name', input: { id: 'category/news' } }],
  async run(context, { id }) {
    const item = await oneTerm(context, await getTerm(context.db, id), true)
    return { item, count: item.count }
  },
})

/** @throws Failure `not_found`, with the nearest names */
export async function getTaxonomy(db: Db, slug: string): Promise<Taxonomy> {
  const found = await findTaxonomy(db, slug)
  if (found) return found
  const all = (await listTaxonomies(db)).map((one) => one.slug)
  const near = nearest(slug, all)
  throw notFound('taxonomy', slug, `There is ${(near.length > 0 ? near : all).join(', ')}. SVC_Terms.taxonomies lists them.`)
}
