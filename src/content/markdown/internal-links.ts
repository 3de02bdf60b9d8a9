// Links from a rendered text to entries of the site. They are resolved when a page is rendered, so they lead to an entry that moved
// without a change of the stored text. The caller looks up the present paths.

import { headingIdPrefix } from './heading-id.ts'

/** Links beyond this number stay as written, so that a page with very many of them costs no more queries. */
const maxLinks = 1000

const anchor = /<a [^<>]*>/g
const hrefOf = / href="([^"]*)"/

/** A link that may lead to an entry. */
export interface InternalLink {
  /** The path in the form of entries: decoded, without the base path and without a slash at the end. */
  readonly path: string
  /** The query and fragment as written in the attribute. */
  readonly rest: string
}

/** The paths to which a cleaned text links, each once. @param base origin and base path, without a slash at the end */
export function linkedPaths(html: string, base: string): readonly string[] {
  const paths = new Set<string>()
  for (const [tag] of html.matchAll(anchor)) {
    const link = readLink(hrefOf.exec(tag)?.[1], base)
    if (link !== undefined) paths.add(link.path)
    if (paths.size >= maxLinks) break
  }
  return [...paths]
}

/** A link to a place within a page. */
export interface AnchorLink {
  /** The path of the page; empty for the page that has the link. */
  readonly path: string
  /** The id of the heading. */
  readonly id: string
}

/** The links to headings in a cleaned text, of this page or of others of the site. @param base as for `linkedPaths` */
export function linkedAnchors(html: string, base: string): readonly AnchorLink[] {
  const found: AnchorLink[] = []
  for (const [tag] of html.matchAll(anchor)) {
    const href = hrefOf.exec(tag)?.[1] ?? ''
    const { path, rest } = href.startsWith('#') ? { path: '', rest: href } : (readLink(href, base) ?? { path: '', rest: '' })
    const id = decodeFragment(/#(.+)$/s.exec(rest)?.[1] ?? '')
    if (id !== undefined && id !== '') found.push({ path, id })
    if (found.length >= maxLinks) break
  }
  return found
}

/** The id in a fragment, without the prefix that ids have on the page. Words to find on the page (`:~:text=`) are no part of it. */
function decodeFragment(text: string): string | undefined {
  try {
    const [id = ''] = decodeURIComponent(text.replaceAll('&amp;', '&')).split(':~:', 1)
    return id.startsWith(headingIdPrefix) ? id.slice(headingIdPrefix.length) : id
  } catch {
    return undefined
  }
}

/** Reads an address outside of a text, such as that of a menu item. @returns undefined for one elsewhere, and for the home page */
export const readAddress = (address: string, base: string): InternalLink | undefined =>
  readLink(address.replaceAll('&', '&amp;'), base)

/** The ids of a cleaned text, without the prefix that all of them have. */
export const idsIn = (html: string): readonly string[] =>
  [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id.slice(headingIdPrefix.length))

/**
 * Updates the links to entries. Links to anything else stay as written.
 * @param targets the present path of each entry, by the paths that lead to it
 */
export function relinked(html: string, base: string, targets: ReadonlyMap<string, string>): string {
  if (targets.size === 0) return html
  const prefix = new URL(base).pathname.replace(/\/$/, '')
  return html.replace(anchor, (tag) => {
    const link = readLink(hrefOf.exec(tag)?.[1], base)
    const target = link && targets.get(link.path)
    if (link === undefined || target === undefined) return tag
    const href = prefix + target.split('/').map(encodeURIComponent).join('/') + fragmentOnPage(link.rest)
    return tag.replace(hrefOf, () => ` href="${href}"`)
  })
}

/** `#prices` means the heading with this id, as it does within a text. */
const fragmentOnPage = (rest: string): string =>
  rest.startsWith('#') && rest.length > 1 && !rest.startsWith(`#${headingIdPrefix}`)
    ? `#${headingIdPrefix}${rest.slice(1)}`
    : rest

/** @param href an attribute's value, in which `&` is written `&amp;` */
function readLink(href: string | undefined, base: string): InternalLink | undefined {
  if (href === undefined) return undefined
  const within = href.startsWith(`${base}/`) ? href.slice(base.length) : withoutPrefix(href, base)
  const [, address = '', rest = ''] = /^(\/[^?#/][^?#]*)(.*)$/s.exec(within) ?? []
  if (address === '') return undefined
  try {
    const path = decodeURIComponent(address.replaceAll('&amp;', '&'))
    return { path: path.endsWith('/') ? path.slice(0, -1) : path, rest }
  } catch {
    return undefined // not the encoding of any path
  }
}

/** A link may have the base path or not: `/about` and `/blog/about` are the same entry of a site below `/blog`. */
function withoutPrefix(href: string, base: string): string {
  const prefix = new URL(base).pathname.replace(/\/$/, '')
  return prefix !== '' && href.startsWith(`${prefix}/`) ? href.slice(prefix.length) : href
}
