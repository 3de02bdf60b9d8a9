// The names of taxonomies in the admin. The built-in ones have names in each language, until the owner renames them.

import { builtInTaxonomies } from '../../content/terms/taxonomies.ts'
import type { MessageKey, Words } from '../words.ts'

const labels: Readonly<Record<string, MessageKey>> = { category: 'structure.taxonomy_category', tag: 'structure.taxonomy_tag' }

export function taxonomyName(t: Words, { slug, name }: { readonly slug: string; readonly name: string }): string {
  const label = builtInTaxonomies[slug]?.name === name ? labels[slug] : undefined
  return label === undefined ? name : t(label)
}
