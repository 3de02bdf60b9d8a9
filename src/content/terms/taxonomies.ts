// Taxonomies: the kinds of terms that a site has. Two exist from the start without a row; a row with their slug replaces them.

import type { Db } from '../../store/core/database.ts'
import type { TaxonomyRow } from '../../store/core/schema.ts'

export interface Taxonomy {
  readonly slug: string
  readonly name: string
  /** The types of entries that may have its terms; null for all types. */
  readonly types: readonly string[] | null
  /** True if a term may be below another. */
  readonly tree: boolean
}

export const builtInTaxonomies: Readonly<Record<string, Taxonomy>> = {
  category: { slug: 'category', name: 'Categories', types: null, tree: true },
  tag: { slug: 'tag', name: 'Tags', types: null, tree: false },
}

const taxonomyOf = ({ slug, name, types, tree }: TaxonomyRow): Taxonomy => ({
  slug,
  name,
  types: types === null ? null : (JSON.parse(types) as string[]),
  tree: tree === 1,
})

/** All taxonomies, by slug. */
export async function listTaxonomies(db: Db): Promise<readonly Taxonomy[]> {
  const rows = await db.selectFrom('taxonomy').selectAll().execute()
  const all = new Map(Object.entries(builtInTaxonomies))
  for (const row of rows) {
    if (row.deleted === 1) all.delete(row.slug)
    else all.set(row.slug, taxonomyOf(row))
  }
  return [...all.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1))
}

export const findTaxonomyRow = (db: Db, slug: string): Promise<TaxonomyRow | undefined> =>
  db.selectFrom('taxonomy').selectAll().where('slug', '=', slug).executeTakeFirst()

export async function findTaxonomy(db: Db, slug: string): Promise<Taxonomy | undefined> {
  const row = await findTaxonomyRow(db, slug)
  if (!row) return Object.hasOwn(builtInTaxonomies, slug) ? builtInTaxonomies[slug] : undefined
  return row.deleted === 1 ? undefined : taxonomyOf(row)
}
