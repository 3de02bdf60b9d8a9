// A feed as RSS 2.0, Atom and JSON Feed 1.1.

import type { ThemeAuthor, ThemeSummary } from '../../themes/contract.ts'
import type { FeedFile } from '../pages/page-data/feed-links.ts'
import { xmlElement, xmlText } from '../../content/markdown/escape-xml.ts'

export interface Feed {
  readonly title: string
  readonly description: string
  /** The address of the list's page; `self` is the address of this feed. */
  readonly url: string
  readonly self: string
  readonly language: string
  readonly entries: readonly ThemeSummary[]
}

export const feedFormats: Readonly<Record<FeedFile, (feed: Feed) => string>> = {
  'feed.xml': rss,
  'atom.xml': atom,
  'feed.json': json,
}

const xmlStart = '<?xml version="1.0" encoding="utf-8"?>\n'

/** The time of the last change of a listed entry. An empty feed uses the epoch, so that its bytes stay the same. */
const updatedOf = ({ entries }: Feed): string =>
  entries
    .map(({ updated }) => updated)
    .toSorted()
    .at(-1) ?? new Date(0).toISOString()

/** @see https://www.rssboard.org/rss-specification */
function rss(feed: Feed): string {
  const { title, url, self, description, language, entries } = feed
  const items = entries.map(
    ({ title: name, url: link, excerpt, date, author, terms }) =>
      `<item>${xmlElement('title', name)}${xmlElement('link', link)}<guid isPermaLink="true">${xmlText(link)}</guid>` +
      `${xmlElement('description', excerpt)}${date === null ? '' : xmlElement('pubDate', new Date(date).toUTCString())}` +
      `${xmlElement('dc:creator', author?.name)}${terms.map((term) => xmlElement('category', term.title)).join('')}</item>\n`,
  )
  return (
    `${xmlStart}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>\n` +
    `<title>${xmlText(title)}</title>${xmlElement('link', url)}<description>${xmlText(description)}</description>` +
    `${xmlElement('language', language)}${xmlElement('lastBuildDate', new Date(updatedOf(feed)).toUTCString())}` +
    `<atom:link rel="self" type="application/rss+xml" href="${xmlText(self)}"/>\n${items.join('')}</channel></rss>\n`
  )
}

/** @see RFC 4287 */
function atom(feed: Feed): string {
  const { title, url, self, description, language, entries } = feed
  const items = entries.map(
    ({ title: name, url: link, excerpt, date, updated, author, terms }) =>
      `<entry><title>${xmlText(name)}</title><link href="${xmlText(link)}"/>${xmlElement('id', link)}` +
      `${xmlElement('published', date)}${xmlElement('updated', updated)}${xmlElement('summary', excerpt)}${atomAuthor(author)}` +
      terms.map((term) => `<category term="${xmlText(term.slug)}" label="${xmlText(term.title)}"/>`).join('') +
      '</entry>\n',
  )
  return (
    `${xmlStart}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xmlText(language)}">\n` +
    `<title>${xmlText(title)}</title>${xmlElement('subtitle', description)}${xmlElement('id', url)}` +
    `<link href="${xmlText(url)}"/><link rel="self" href="${xmlText(self)}"/>${xmlElement('updated', updatedOf(feed))}` +
    `<author><name>${xmlText(title)}</name></author>\n${items.join('')}</feed>\n`
  )
}

const atomAuthor = (author: ThemeAuthor | null): string =>
  author === null ? '' : `<author>${xmlElement('name', author.name)}${xmlElement('uri', author.url)}</author>`

/** @see https://www.jsonfeed.org/version/1.1/ */
function json({ title, url, self, description, language, entries }: Feed): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: url,
    feed_url: self,
    description: description || undefined,
    language,
    items: entries.map((entry) => ({
      id: entry.url,
      url: entry.url,
      title: entry.title.toWellFormed(),
      content_text: entry.excerpt,
      image: entry.image?.url,
      date_published: entry.date ?? undefined,
      date_modified: entry.updated,
      authors: entry.author ? [{ name: entry.author.name, url: entry.author.url ?? undefined }] : undefined,
      tags: entry.terms.length > 0 ? entry.terms.map((term) => term.title) : undefined,
    })),
  })
}
