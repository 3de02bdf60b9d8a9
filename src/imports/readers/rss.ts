// RSS 2.0, RSS 1.0 and Atom, the last resort: a feed has only the newest posts, and often only the beginnings of their texts.

import { withoutSlash } from './without-slash.ts'
import { Failure } from '../../base/failure.ts'
import type { ImportFormat } from '../import-format.ts'
import type { SourceFiles } from '../source-files.ts'
import { type ImportPart, type ImportSite, incomplete } from '../stream.ts'
import { headOf } from './head-of.ts'
import { plainTitle } from './plain-title.ts'
import { childOf, childrenOf, childText, readXml, type XmlElement } from './xml-elements.ts'

const containers: ReadonlySet<string> = new Set(['rss', 'channel', 'feed', 'rdf:RDF'])
const mark = /<(?:rss|feed|rdf:RDF)[\s>]/

export const rssFormat: ImportFormat = {
  name: 'rss',
  recognises: async (files) => (await feedPath(files)) !== undefined,
  read: readRss,
}

async function feedPath(files: SourceFiles): Promise<string | undefined> {
  for (const path of files.sizes.keys())
    if (/\.(?:xml|rss|atom|rdf)$/i.test(path) && mark.test(await headOf(files, path))) return path
  return undefined
}

async function* readRss(files: SourceFiles): AsyncGenerator<ImportPart> {
  const path = await feedPath(files)
  if (path === undefined) throw new Failure('unprocessable', 'No file is a feed (RSS or Atom).')
  const { elements, faults } = readXml(files.open(path), containers)
  const head: XmlElement[] = []
  let isBegun = false
  for await (const element of elements) {
    if (element.name !== 'item' && element.name !== 'entry') {
      head.push(element)
      continue
    }
    if (!isBegun) yield siteOf(head, path, linkOf(element))
    isBegun = true
    yield* entryOf(element)
  }
  if (!isBegun) yield siteOf(head, path)
  if (!faults.isComplete) yield { kind: 'loss', group: incomplete, name: path, reason: 'the file ends early' }
}

/** @param first the address of the first item. A feed that another service makes names its own address as that of the site. */
function siteOf(head: readonly XmlElement[], path: string, first?: string): ImportSite {
  const feed: XmlElement = { name: 'feed', attributes: {}, text: '', children: [...head] }
  const channel = childOf(feed, 'channel') ?? feed
  const given = withoutSlash(linkOf(channel))
  const isForeign =
    [first, given].every((one) => URL.canParse(one ?? '')) && new URL(first ?? '').host !== new URL(given ?? '').host
  const url = isForeign ? new URL(first ?? '').origin : given
  return {
    kind: 'site',
    key: url?.replace(/^https?:\/\/(?:www\.)?/, '') ?? path,
    url,
    title: plainTitle(childText(channel, 'title')) || undefined,
    tagline: plainTitle(childText(channel, 'description') || childText(channel, 'subtitle')) || undefined,
    language: childText(channel, 'language') || undefined,
  }
}

/** The address of an item: text in RSS, an attribute in Atom, where other links have a `rel`. */
function linkOf(element: XmlElement): string | undefined {
  const links = childrenOf(element, 'link')
  const atom = links.find(({ attributes: { rel = 'alternate', href } }) => rel === 'alternate' && href !== undefined)
  return (links.find(({ text }) => text.trim() !== '')?.text.trim() ?? atom?.attributes['href']) || undefined
}

/** The last part of the path of an address, without the ending of a file. */
const slugOf = (address: string): string | undefined =>
  withoutSlash(address.split(/[?#]/, 1)[0])
    ?.split('/')
    .at(-1)
    ?.replace(/\.html?$/, '') || undefined

function* entryOf(item: XmlElement): Generator<ImportPart> {
  const link = linkOf(item)
  const id = childText(item, 'guid') || childText(item, 'id') || link
  const title = plainTitle(childText(item, 'title'))
  if (id === undefined) {
    yield { kind: 'loss', group: 'item', name: title || 'item', reason: 'it has no address and no id' }
    return
  }
  const [full, short] = [contentOf(item, ['content:encoded', 'content']), contentOf(item, ['description', 'summary'])]
  const author = plainTitle(childText(item, 'dc:creator') || childText(childOf(item, 'author') ?? item, 'name'))
  if (author !== '') yield { kind: 'author', id: author, name: author, addresses: [] }
  const date = Date.parse(
    ['pubDate', 'dc:date', 'published', 'updated'].map((name) => childText(item, name)).find((one) => one !== '') ?? '',
  )
  yield {
    kind: 'entry',
    id,
    type: 'post',
    status: 'published',
    title: title || plainTitle(short).slice(0, 80) || id,
    slug: link === undefined ? undefined : slugOf(link),
    addresses: link === undefined ? [] : [link],
    publishedAt: date > 0 ? { utc: date } : undefined,
    author: author || undefined,
    terms: childrenOf(item, 'category').flatMap(({ attributes, text }) => {
      const name = plainTitle(attributes['term'] ?? text)
      return name === '' ? [] : [{ taxonomy: 'tag', slug: name, name }]
    }),
    excerpt: full === '' ? undefined : plainTitle(short).slice(0, 500) || undefined,
    text: { format: 'html', source: full || short },
  }
}

/** Atom may have its text as elements (`xhtml`), which no feed of today does; such a text is its words. */
function contentOf(item: XmlElement, names: readonly string[]): string {
  const element = names.map((name) => childOf(item, name)).find((one) => one !== undefined)
  if (!element) return ''
  return element.text.trim() === '' ? wordsIn(element) : element.text.trim()
}

const wordsIn = ({ text, children }: XmlElement): string => [text, ...children.map(wordsIn)].join(' ').trim()
