// The names of taxonomies in the admin. The built-in ones have names in each language, until the owner renames them.

import type { MessageKey, Words } from '../words.ts'

/** The original names of the built-in taxonomies. */
const builtIn: Readonly<Record<string, { readonly name: string; readonly label: MessageKey }>> = {
  category: { name: 'Categories', label: 'structure.taxonomy_category' },
  tag: { name: 'Tags', label: 'structure.taxonomy_tag' },
}

export function taxonomyName(t: Words, { slug, name }: { readonly slug: string; readonly name: string }): string {
  const words = Object.hasOwn(builtIn, slug) ? builtIn[slug] : undefined
  return words?.name === name ? t(words.label) : name
}
