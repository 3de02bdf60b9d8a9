// Categories, tags and other terms of WXR: described once in a whole export, and mentioned by the items.

import { decodeSlug } from '../decode-slug.ts'
import { plainTitle } from '../plain-title.ts'
import type { ImportTerm, ImportTermRef } from '../../stream.ts'
import { childText, childrenOf, type XmlElement } from '../xml-elements.ts'

/** The names of elements in the description of a term, by the element around them. */
const forms: Readonly<Record<string, { slug: string; name: string; parent: string; description: string; taxonomy?: string }>> = {
  'wp:category': {
    slug: 'wp:category_nicename',
    name: 'wp:cat_name',
    parent: 'wp:category_parent',
    description: 'wp:category_description',
    taxonomy: 'category',
  },
  'wp:tag': { slug: 'wp:tag_slug', name: 'wp:tag_name', parent: '', description: 'wp:tag_description', taxonomy: 'tag' },
  'wp:term': { slug: 'wp:term_slug', name: 'wp:term_name', parent: 'wp:term_parent', description: 'wp:term_description' },
}

const ownNames: Readonly<Record<string, string>> = { post_tag: 'tag' }

/** Taxonomies in which WordPress and its plugins keep other things than terms. */
const noTerms =
  /^(?:nav_menu|post_format|author|language|term_language|post_translations|term_translations|translation_priority|link_category|wp_theme|wp_template_part_area|wp_pattern_category|elementor_library_type|product_type|product_visibility)$/

/** The addresses of the pages of terms. */
const pages: Readonly<Record<string, string>> = { category: 'category', tag: 'tag' }

/** Returns the term that an element describes, or undefined if it describes another thing. */
export function readTerm(element: XmlElement, slugPaths: Map<string, string>): ImportTerm | undefined {
  const form = forms[element.name]
  const taxonomy = form?.taxonomy ?? childText(element, 'wp:term_taxonomy')
  if (!form || noTerms.test(taxonomy)) return undefined
  const written = childText(element, form.slug)
  const own = ownNames[taxonomy] ?? taxonomy
  const parent = form.parent === '' ? '' : childText(element, form.parent)
  const path = `${parent === '' ? '' : `${slugPaths.get(`${own} ${parent}`) ?? parent}/`}${written}`
  slugPaths.set(`${own} ${written}`, path)
  const slug = decodeSlug(written)
  return {
    kind: 'term',
    id: childText(element, 'wp:term_id') || undefined,
    taxonomy: own,
    slug,
    name: plainTitle(childText(element, form.name)) || slug,
    description: childText(element, form.description) || undefined,
    parent: parent === '' ? undefined : decodeSlug(parent),
    addresses: [`/${pages[own] ?? own}/${path}/`],
  }
}

/** Returns the terms that an item mentions. */
export const termsOf = (item: XmlElement): readonly ImportTermRef[] =>
  childrenOf(item, 'category').flatMap(({ attributes, text }) => {
    const { domain = '', nicename = '' } = attributes
    if (domain === '' || noTerms.test(domain)) return []
    const name = plainTitle(text)
    const slug = decodeSlug(nicename) || name.toLowerCase().replace(/\s+/g, '-')
    return slug === '' ? [] : [{ taxonomy: ownNames[domain] ?? domain, slug, name: name || slug }]
  })

/** Returns the nicename of the first mention in a taxonomy that holds no terms, such as `language`. */
export const mentionIn = (item: XmlElement, domain: string): string | undefined =>
  childrenOf(item, 'category').find(({ attributes }) => attributes['domain'] === domain)?.attributes['nicename'] || undefined
