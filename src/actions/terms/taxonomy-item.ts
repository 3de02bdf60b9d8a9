// A taxonomy in an answer, and the look-up of a taxonomy.

import { type Static, Type } from 'typebox'
import { findTaxonomy, listTaxonomies, type Taxonomy } from '../../content/terms/taxonomies.ts'
import { notFound } from '../../base/failure.ts'
import type { Db } from '../../store/core/database.ts'
import { nullable } from '../call/write-answer.ts'
import { nearest } from '../../base/nearest.ts'

export const taxonomyItem = Type.Object({
  id: Type.String({ description: 'The slug.' }),
  slug: Type.String(),
  name: Type.String(),
  types: nullable(Type.Array(Type.String()), 'The types of entries that may have its terms; null for all types.'),
  tree: Type.Boolean({ description: 'Whether a term may be below another.' }),
})

export const taxonomyItemOf = ({ slug, name, types, tree }: Taxonomy): Static<typeof taxonomyItem> => ({
  id: slug,
  slug,
  name,
  types: types && [...types],
  tree,
})

/** @throws Failure `not_found`, with the nearest names */
export async function getTaxonomy(db: Db, slug: string): Promise<Taxonomy> {
  const found = await findTaxonomy(db, slug)
  if (found) return found
  const all = (await listTaxonomies(db)).map((one) => one.slug)
  const near = nearest(slug, all)
  throw notFound('taxonomy', slug, `There is ${(near.length > 0 ? near : all).join(', ')}. SVC_Terms.taxonomies lists them.`)
}
