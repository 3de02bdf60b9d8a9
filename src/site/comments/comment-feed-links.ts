// The links in the head of a page to the feeds of comments.

import { urlOf } from '../../content/entries/entry.ts'
import { languageOf, languagesOf } from '../../content/languages/languages.ts'
import { attribute, html, hrefAttribute, type Html } from '../../doors/shared/html.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { siteWord } from '../../themes/site-words.ts'
import type { Frame } from '../pages/frame.ts'

/** A feed of comments: its name below its page, and its media type. */
export const commentFeed = { file: '/comments.xml', mediaType: 'application/atom+xml' } as const

/** The links to the feeds of comments. @param entry the entry of the page, if the page has comments */
export function commentFeedLinks({ site, origin }: Frame, entry?: Pick<EntryRow, 'path' | 'title' | 'locale'>): readonly Html[] {
  const { values } = site.settings
  const link = (title: string, url: string) =>
    html`<link rel="alternate" ${attribute('type', commentFeed.mediaType)} ${attribute('title', title)} ${hrefAttribute(url)} />`
  const word = siteWord(languageOf(languagesOf(values), entry?.locale ?? null) || 'en', 'comments')
  const own = entry ? [link(`${word}: ${entry.title}`, urlOf(origin, entry.path ?? '/') + commentFeed.file)] : []
  return values.comments.length > 0 || entry ? [...own, link(`${word} – ${values.site_title}`, origin + commentFeed.file)] : []
}
