// The terms of a tree: those that pages mention, with the addresses that their lists had, and those that a page of their own
// describes.

import type { ImportTerm, ImportTermRef } from '../../stream.ts'
import type { PagePlace } from './places.ts'
import type { TreeDialect } from './tree.ts'

/** The generators that make lists of terms by themselves, or in the themes that most sites use. */
const lists: ReadonlySet<TreeDialect> = new Set(['hugo', 'zola', 'eleventy', 'astro'])

/** The names of taxonomies in addresses. */
const folders: Readonly<Record<string, string>> = { tag: 'tags', category: 'categories' }

export interface TreeTerms {
  /** Notes a term that a page mentions. */
  mention(term: ImportTermRef, place: Pick<PagePlace, 'prefix'>): void
  /** Notes a term by its own page. */
  describe(term: ImportTermRef, page: { readonly description: string | undefined; readonly address: string }): void
  all(): readonly ImportTerm[]
}

export function createTreeTerms(dialect: TreeDialect): TreeTerms {
  const terms = new Map<string, { ref: ImportTermRef; description?: string | undefined; readonly addresses: Set<string> }>()
  const find = (ref: ImportTermRef) => {
    const key = `${ref.taxonomy}/${inAddress(ref.slug)}`
    const known = terms.get(key) ?? { ref, addresses: new Set<string>() }
    terms.set(key, known)
    return known
  }
  return {
    mention(ref, { prefix = '' }) {
      const known = find(ref)
      const { addresses } = known
      // Pages find the term by their own spelling of its slug.
      known.ref = { ...known.ref, slug: ref.slug }
      const folder = folders[ref.taxonomy]
      if (folder !== undefined && lists.has(dialect)) addresses.add(`${prefix}/${folder}/${inAddress(ref.slug)}/`)
    },
    describe(ref, { description, address }) {
      const known = find(ref)
      known.addresses.add(address)
      known.description ??= description
      known.ref = { ...known.ref, name: ref.name }
    },
    all: () =>
      [...terms.values()].map(({ ref, description, addresses }) => ({
        kind: 'term',
        ...ref,
        description,
        addresses: [...addresses],
      })),
  }
}

const inAddress = (slug: string): string =>
  encodeURI(slug.trim().toLowerCase().replace(/\s+/g, '-')).replace(/[?#]/g, encodeURIComponent)

/** Returns the term whose own page a file is, such as `content/tags/rye/_index.md` of Hugo; undefined for another file. */
export function termOfPage(dialect: TreeDialect, below: string, title: string): ImportTermRef | undefined {
  if (dialect !== 'hugo') return undefined
  const [, folder = '', slug = ''] =
    /^content\/(?:[a-z]{2}(?:-[a-z]{2,4})?\/)?(tags|categories)\/([^/]+)\/_index\.[\w.-]+$/i.exec(below) ?? []
  return slug === '' ? undefined : { taxonomy: folder.toLowerCase() === 'tags' ? 'tag' : 'category', slug, name: title }
}
