// An entry of the theme contract, in a list and on its own page, with its terms, fields, images, neighbours and translations.

import { LRUCache } from 'lru-cache'
import { urlOf } from '../../../content/entries/entry.ts'
import type { EntryType } from '../../../content/types/entry-types.ts'
import { textOfHtml } from '../../../content/markdown/plain-text.ts'
import { termIdsOf } from '../../../store/change/entry-terms.ts'
import type { EntryRow } from '../../../store/core/schema.ts'
import type { ThemeAuthor, ThemeEntry, ThemeImage, ThemeSummary, ThemeTerm } from '../../../themes/contract.ts'
import type { Frame } from '../frame.ts'
import type { EntryAround } from './around.ts'
import { detailsOf } from './details.ts'

export type SummaryRow = Pick<
  EntryRow,
  'id' | 'revision' | 'type' | 'title' | 'path' | 'published_at' | 'updated_at' | 'body' | 'terms'
>

export interface SummaryParts {
  readonly excerpt: string
  readonly author: ThemeAuthor | null
  readonly image: ThemeImage | null
  readonly fields: ThemeSummary['fields']
}

export function summaryOf(frame: Frame, row: SummaryRow, { excerpt, author, image, fields }: SummaryParts): ThemeSummary {
  const { site, origin } = frame
  const type = site.types.current.of(row.type)
  return {
    type: row.type,
    title: row.title,
    url: urlOf(origin, row.path ?? '/'),
    excerpt,
    date: row.published_at === null ? null : new Date(row.published_at).toISOString(),
    updated: new Date(row.updated_at).toISOString(),
    dated: type.dated,
    image,
    author,
    terms: termsOf(frame, row.terms),
    fields,
    shown: shownFields(type, fields),
    words: wordsIn(row),
  }
}

/** The values that cards show, in the order that the type names. */
function shownFields({ fields, list: { shows } }: EntryType, values: SummaryParts['fields']): ThemeSummary['shown'] {
  if (!shows) return null
  return detailsOf(
    shows.flatMap((name) => fields.find((field) => field.name === name) ?? []),
    values,
  )
}

/** The terms of an entry, without the terms' texts, which are on the terms' own pages. */
function termsOf({ site, origin }: Frame, column: string): readonly ThemeTerm[] {
  return termIdsOf(column).flatMap((id) => {
    const term = site.terms.of(id)
    if (!term) return []
    const [taxonomy = '', slug = ''] = term.ref.split('/')
    return [{ taxonomy, slug, title: term.name, url: `${origin}/${term.ref}`, text: null }]
  })
}

export interface EntryParts extends SummaryParts {
  readonly around: EntryAround
  readonly comments: ThemeEntry['comments']
}

/** @param html of the body, cleaned @param preview true if the entry is not public */
export function entryOf(
  frame: Frame,
  row: SummaryRow,
  { around, comments, ...parts }: EntryParts,
  html: string,
  preview = false,
): ThemeEntry {
  return {
    ...summaryOf(frame, row, parts),
    ...around,
    details: detailsOf(frame.site.types.current.of(row.type).fields, parts.fields),
    content: { markup: html },
    opening: html.startsWith('<section class="section is-hero'),
    sections: html.includes('<section class="section '),
    comments,
    toc: contentsOf(html),
    preview: frame.preview !== undefined || preview,
  }
}

const headingStart = /<h([2-4]) id="([^"<>]+)"[^<>]*>/g

/** The headings of cleaned HTML that have an id. Cleaned HTML closes every element. */
function contentsOf(html: string): ThemeEntry['toc'] {
  return [...html.matchAll(headingStart)].map(({ 0: tag, 1: level, 2: id = '', index }) => {
    const start = index + tag.length
    const inner = html.slice(start, html.indexOf(`</h${level}>`, start))
    return { id, title: textOfHtml(inner).replace(/\s+/g, ' '), level: Number(level) }
  })
}

/** The words of texts that were counted, by entry and revision: an entry is in many lists. */
const counted = new LRUCache<string, number>({ max: 10_000 })

function wordsIn({ id, revision, body }: SummaryRow): number {
  const key = `${id} ${revision} ${body.length}`
  const words = counted.get(key) ?? countWords(body)
  counted.set(key, words)
  return words
}

/** Counts the words of a Markdown text. In scripts without spaces, two characters count as one word. */
function countWords(text: string): number {
  const dense = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu)?.length ?? 0
  const others = text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0
  return dense === 0 ? others : Math.round(dense / 2) + (text.match(/[\p{sc=Latin}\p{N}][\p{sc=Latin}\p{N}'’-]*/gu)?.length ?? 0)
}
