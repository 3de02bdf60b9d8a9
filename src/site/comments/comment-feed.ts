// The newest comments as an Atom feed: of the site at `/comments.xml`, and of an entry below its path. It has what its pages show.

import { commentMarkup } from '../../content/comments/comment-html.ts'
import { showsComments } from '../../content/comments/comment-rules.ts'
import { type FeedComment, listNewest } from '../../content/comments/comment-store.ts'
import { urlOf } from '../../content/entries/entry.ts'
import { languageOf, languagesOf } from '../../content/languages/languages.ts'
import { xmlElement, xmlText } from '../../content/markdown/escape-xml.ts'
import type { Reply } from '../../http/reply.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { siteWord } from '../../themes/site-words.ts'
import { pageReply } from '../kept/page-cache.ts'
import type { Frame } from '../pages/frame.ts'
import { addressIn, siteFacts } from '../pages/page-data/site-facts.ts'
import { commentFeed } from './comment-feed-links.ts'
import { findCommentedEntry } from './commented-page.ts'
import { websiteOf } from './comments-data.ts'

const maxComments = 30

/** The feed at a path; undefined if there is none. */
export async function commentFeedReply(frame: Frame, path: string): Promise<Reply | undefined> {
  if (!path.endsWith(commentFeed.file)) return undefined
  const folder = path.slice(0, -commentFeed.file.length)
  if (folder === '') return siteFeed(frame)
  const { values } = frame.site.settings
  const entry = await findCommentedEntry(frame, folder)
  return entry && showsComments(values, entry) ? makeFeed(frame, await newestOf(frame, entry), entry) : undefined
}

async function newestOf(frame: Frame, entry?: EntryRow): Promise<readonly FeedComment[]> {
  const { site } = frame
  const rows = await listNewest(site.store.read, site.settings.values, site.clock.now(), maxComments, entry?.id)
  const facts = await siteFacts(frame)
  // The entry of the home page has no comments there.
  return rows.filter(({ entry_path: path }) => path !== null && addressIn(facts, path) === path)
}

async function siteFeed(frame: Frame): Promise<Reply | undefined> {
  const rows = await newestOf(frame)
  return rows.length > 0 || frame.site.settings.values.comments.length > 0 ? makeFeed(frame, rows) : undefined
}

/** @see RFC 4287; RFC 4685 for answers */
function makeFeed({ site, origin }: Frame, rows: readonly FeedComment[], entry?: EntryRow): Reply {
  const { values } = site.settings
  const language = languageOf(languagesOf(values), entry?.locale ?? null) || 'en'
  const page = entry ? urlOf(origin, entry.path ?? '/') : `${origin}/`
  const self = entry ? page + commentFeed.file : origin + commentFeed.file
  const word = siteWord(language, 'comments')
  const title = entry ? `${word}: ${entry.title} – ${values.site_title}` : `${word} – ${values.site_title}`
  const updated = rows.map(({ updated_at: at }) => at).toSorted((a, b) => b - a)[0] ?? 0
  const text =
    '<?xml version="1.0" encoding="utf-8"?>\n' +
    `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:thr="http://purl.org/syndication/thread/1.0" xml:lang="${xmlText(language)}">\n` +
    `<title>${xmlText(title)}</title>${xmlElement('id', self)}<link href="${xmlText(page)}"/>` +
    `<link rel="self" href="${xmlText(self)}"/>${xmlElement('updated', timeOf(updated))}` +
    `<author><name>${xmlText(values.site_title)}</name></author>\n${rows.map((row) => itemOf(row, origin)).join('')}</feed>\n`
  return pageReply(text, {
    'content-type': `${commentFeed.mediaType}; charset=utf-8`,
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'none'; sandbox",
  })
}

function itemOf(row: FeedComment, origin: string): string {
  const page = urlOf(origin, row.entry_path ?? '/')
  const at = (id: string): string => `${page}#c-${id}`
  const above = row.parent_id === null ? page : at(row.parent_id)
  return (
    `<entry><title>${xmlText(`${row.name}: ${row.entry_title}`)}</title><link href="${xmlText(at(row.id))}"/>` +
    `${xmlElement('id', at(row.id))}${xmlElement('published', timeOf(row.created_at))}${xmlElement('updated', timeOf(row.updated_at))}` +
    `<author>${xmlElement('name', row.name)}${xmlElement('uri', websiteOf(row))}</author>` +
    `<thr:in-reply-to ref="${xmlText(above)}" href="${xmlText(above)}"/>` +
    `<content type="html">${xmlText(commentMarkup(row.body))}</content></entry>\n`
  )
}

const timeOf = (ms: number): string => new Date(ms).toISOString()
