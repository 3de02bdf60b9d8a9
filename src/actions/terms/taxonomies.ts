import { Type } from 'typebox'
import { listTaxonomies } from '../../content/terms/taxonomies.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { taxonomyItem, taxonomyItemOf } from './taxonomy-item.ts'

export const taxonomies = action('SVC_Terms.taxonomies', {
  title: 'List the taxonomies',
  summary: 'Lists the taxonomies: the kinds of terms, such as categories and tags.',
  tier: 'any',
  effect: 'read',
  input: closed({}),
  output: Type.Object({ items: Type.Array(taxonomyItem) }),
  examples: [{ title: 'All of them', input: {} }],
  run: async ({ db }) => ({ items: (await listTaxonomies(db)).map(taxonomyItemOf) }),
})
