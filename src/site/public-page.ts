// Makes public pages: an entry or the home page, as HTML in the active theme, or as Markdown. page-cache.ts keeps them.

import type { Services } from '../actions/services.ts'
import { embedOrigins } from '../content/embeds.ts'
import { pageFrontMatter } from '../content/entry-item.ts'
import { formatFrontMatter } from '../content/front-matter.ts'
import type { Reply } from '../http/reply.ts'
import type { FilterAbout } from '../plugins/api.ts'
import type { EntryRow } from '../store/schema.ts'
import type { Frame } from './frame.ts'
import type { LastPages } from './last-pages.ts'
import { pageReply } from './page-cache.ts'
import { entryPageData, type MadePage } from './page-data/entry-page.ts'
import { homePageData } from './page-data/home-page.ts'
import { postsOf } from './page-data/posts.ts'
import { listPosts } from './public-entries.ts'
import { themed } from './themed.ts'

/** Frames are for the sites of the table of embeds alone; a frame loads nothing before a click. */
const siteCsp = `default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' https: data:; frame-src 'self' ${embedOrigins.join(' ')}; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'`

const shared = { 'referrer-policy': 'strict-origin-when-cross-origin', 'cache-control': 'no-cache', vary: 'accept' }
export const htmlHeaders = { ...shared, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': siteCsp }
const markdownHeaders = {
  ...shared,
  'content-type': 'text/markdown; charset=utf-8',
  'content-security-policy': "default-src 'none'; sandbox",
}

/** The page of an entry as HTML. @throws Failure `unprocessable` where its text can't be rendered in time */
export async function entryReply(frame: Frame, last: LastPages, entry: EntryRow): Promise<Reply> {
  const { id, type, title, path, revision } = entry
  const posts = path === '/' ? await postsOf(frame, 1) : undefined
  const made = await entryPageData(frame, entry, posts?.entries)
  const about = { path: path ?? '/', entry: { id, type, title, path } }
  return themedReply(frame, last, made, { path: about.path, page: 1, version: `${id} ${revision}` }, about)
}

/** The home page with the latest posts, where no entry is the home page. `page` counts from 1; undefined beyond the last page. */
export async function homeReply(frame: Frame, last: LastPages, page: number): Promise<Reply | undefined> {
  const made = await homePageData(frame, page)
  if (!made) return undefined
  // A list is only as good as the entries on it: what was taken off the site must not be on a kept page.
  const version = made.page.entries.map(({ url, updated }) => `${url} ${updated}`).join('\n')
  return themedReply(frame, last, made, { path: '/', page, version }, { path: '/' })
}

interface PageFacts {
  readonly path: string
  readonly page: number
  readonly version: string
}

/** A page that a plugin or the theme could not complete is not cached, and the next request tries again. */
async function themedReply(
  frame: Frame,
  last: LastPages,
  { page, whole }: MadePage,
  facts: PageFacts,
  about: FilterAbout,
): Promise<Reply> {
  const { html, good } = await themed(frame, page, last, { origin: frame.origin, ...facts })
  const { text, whole: filtered } = await filteredPage(frame.site, html, about)
  return pageReply(200, text, whole && good && filtered ? htmlHeaders : { ...htmlHeaders, 'cache-control': 'no-store' })
}

/** Passes a document through the plugins' filters. */
const filteredPage = ({ plugins }: Services, page: string, about: FilterAbout) => plugins.filter('page.html', page, about)

/** An entry as Markdown, with front matter. */
export function entryMarkdown({ origin }: Frame, entry: EntryRow): Reply {
  return pageReply(200, formatFrontMatter(pageFrontMatter(entry, origin), entry.body), markdownHeaders)
}

/** The list of posts as Markdown. */
export async function homeMarkdown({ site, origin }: Frame, page: number): Promise<Reply> {
  const { site_title: title, site_tagline: tagline, posts_per_page: limit } = site.settings.values
  const posts = (await listPosts(site.store.read, limit, (page - 1) * limit, site.clock.now())).slice(0, limit)
  const lines = posts.map((post) => `- [${post.title.replace(/[[\]\\]/g, '\\$&')}](${origin}${post.path ?? '/'})`)
  return pageReply(
    200,
    formatFrontMatter({ title, url: `${origin}/` }, [tagline, lines.join('\n')].filter((part) => part !== '').join('\n\n')),
    markdownHeaders,
  )
}
