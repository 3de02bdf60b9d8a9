import { builtInTaxonomies, findTaxonomyRow } from '../../content/terms/taxonomies.ts'
import { Failure } from '../../base/failure.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'
import type { TaxonomyRow } from '../../store/core/schema.ts'
import { action, type WriteContext } from '../call/action.ts'
import { getTaxonomy, taxonomyItemOf } from './taxonomy-item.ts'
import { output } from './save-taxonomy.ts'

export const deleteTaxonomy = action('SVC_Terms.delete-taxonomy', {
  title: 'Delete [the group {title}|a group of categories or tags]',
  summary: 'Deletes a taxonomy that has no terms.',
  did: 'deleted [the group {title}|a group of categories or tags]',
  tier: 'admin',
  effect: 'write',
  failures: ['not_found', 'in_use'],
  touches: 'site',
  input: closed({ id: nonEmptyText('Slug of the taxonomy.', 100) }),
  output,
  examples: [{ title: 'By its slug', input: { id: 'region' } }],
  async run(context, { id }) {
    const found = await getTaxonomy(context.db, id)
    const terms = await context.db.selectFrom('term').select(['ref', 'name']).where('taxonomy', '=', id).limit(20).execute()
    if (terms.length > 0)
      throw new Failure('in_use', `The taxonomy ${id} has terms.`, {
        by: terms,
        hint: 'Delete its terms first (SVC_Terms.delete).',
      })
    await removeRow(context, id, await findTaxonomyRow(context.db, id))
    return { item: taxonomyItemOf(found), changed: ['slug'], warnings: [], activity_id: null }
  },
})

/** Removes a taxonomy. A built-in one gets a row that marks it as deleted. */
async function removeRow({ change }: WriteContext, id: string, row: TaxonomyRow | undefined): Promise<void> {
  const builtIn = builtInTaxonomies[id]
  if (row && builtIn) await change.update('taxonomy', row, { deleted: 1 })
  else if (row) await change.remove('taxonomy', row)
  else if (builtIn)
    await change.insert('taxonomy', { slug: id, name: builtIn.name, types: null, tree: builtIn.tree ? 1 : 0, deleted: 1 })
}
