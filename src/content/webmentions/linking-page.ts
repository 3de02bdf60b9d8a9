// Reads a page of another site: its links, its endpoint for webmentions, and what it says. All of it is a stranger's text.

import { Parser } from 'htmlparser2'
import { cutText } from '../../base/cut-text.ts'
import { maxNameChars, tidyLine, tidyText } from '../comments/comment-rules.ts'

/** The largest page that is read. */
export const maxPageBytes = 1024 ** 2
/** The characters of a page's text that are kept. */
const maxSaid = 500
/** The most links of a page that are looked at. */
const maxLinks = 10_000
/** The most open elements. A page that nests deeper is read to there. */
const maxOpen = 500

/** A page of another site. */
export interface LinkingPage {
  /** The addresses of its `<a href>`, resolved. */
  readonly links: ReadonlySet<string>
  /** The endpoint for webmentions; undefined if it names none. */
  readonly endpoint: string | undefined
  /** The author by `h-entry`, if it says one. */
  readonly author: string | undefined
  /** The text by `h-entry`, else its title; shortened. */
  readonly said: string
}

/** The classes of microformats whose texts are read, the best first. @see https://microformats.org/wiki/h-entry */
const textClasses = ['e-content', 'p-summary', 'p-content', 'p-name'] as const
type TextClass = (typeof textClasses)[number] | 'p-author' | 'title'

const ignored: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'svg', 'textarea', 'iframe'])
const blocks: ReadonlySet<string> = new Set(
  'p div li ul ol blockquote section article h1 h2 h3 h4 h5 h6 br tr pre figure'.split(' '),
)
/** Elements that have no content, and so no end. */
const empty: ReadonlySet<string> = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

const resolve = (address: string, base: string): string | undefined =>
  URL.canParse(address, base) ? new URL(address, base).href : undefined

const wordsOf = (text: string | undefined): readonly string[] => (text ?? '').split(/\s+/)
const isWebmention = (rel: string | undefined): boolean => wordsOf(rel?.toLowerCase()).includes('webmention')

/** @param url the address that answered, after redirects */
export function readLinkingPage(html: string, url: string): LinkingPage {
  const links = new Set<string>()
  const texts = new Map<TextClass, string>()
  const open: { readonly name: string; readonly reads: readonly TextClass[]; readonly ignores: boolean }[] = []
  let base = url
  let hasBase = false
  let endpoint: string | undefined
  const read = (text: string): void => {
    if (open.some(({ ignores }) => ignores)) return
    for (const name of new Set(open.flatMap(({ reads }) => reads))) {
      const before = texts.get(name) ?? ''
      if (before.length < 4 * maxSaid) texts.set(name, before + text)
    }
  }
  const parser = new Parser({
    onopentag(name, { href, rel, class: classes }) {
      if (name === 'base' && href !== undefined && !hasBase) {
        base = resolve(href, url) ?? url
        hasBase = true
      }
      if ((name === 'link' || name === 'a') && href !== undefined && endpoint === undefined && isWebmention(rel))
        endpoint = resolve(href, base)
      if (name === 'a' && href !== undefined && links.size < maxLinks) {
        const link = resolve(href, base)
        if (link !== undefined) links.add(link)
      }
      if (blocks.has(name)) read('\n')
      if (empty.has(name) || open.length >= maxOpen) return
      const given = wordsOf(classes)
      const reads: TextClass[] = textClasses.filter((one) => given.includes(one) && !texts.has(one))
      if (given.includes('p-author') && !texts.has('p-author')) reads.push('p-author')
      if (name === 'title' && !texts.has('title')) reads.push('title')
      open.push({ name, reads, ignores: ignored.has(name) })
    },
    ontext: read,
    onclosetag(name) {
      const at = open.findLastIndex((one) => one.name === name)
      if (at >= 0) open.splice(at)
    },
  })
  parser.end(html)
  const author = tidyLine(texts.get('p-author') ?? '')
    .slice(0, maxNameChars)
    .toWellFormed()
  const said = [...textClasses, 'title' as const].map((name) => tidyText(texts.get(name) ?? '').replace(/[ \t]+/g, ' '))
  return {
    links,
    endpoint,
    author: author === '' ? undefined : author,
    said: cutText(said.find((text) => text !== '') ?? '', maxSaid),
  }
}

/** The first webmention endpoint of `Link` headers, resolved. @see RFC 8288, section 3 */
export function endpointOfHeaders(headers: string | readonly string[] | undefined, url: string): string | undefined {
  for (const header of [headers ?? []].flat())
    for (const [, target = '', parameters = ''] of header.slice(0, 8192).matchAll(/<([^<>]*)>([^<]*)/g)) {
      const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters)
      if (rel && isWebmention(rel[1] ?? rel[2])) return resolve(target, url)
    }
  return undefined
}
