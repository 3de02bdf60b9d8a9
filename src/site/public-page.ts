// Makes public pages from the database: an entry or the home page, as HTML or as Markdown. page-cache.ts keeps them.

import { filteredEntry } from '../actions/filtered-entry.ts'
import type { Services } from '../actions/services.ts'
import { pageFrontMatter } from '../content/entry-item.ts'
import { entryTypeOf } from '../content/entry-types.ts'
import { toSeo } from '../content/field-values.ts'
import { formatFrontMatter } from '../content/front-matter.ts'
import { excerptOf } from '../content/plain-text.ts'
import type { Reply } from '../http/reply.ts'
import type { FilterAbout } from '../plugins/api.ts'
import type { EntryRow } from '../store/schema.ts'
import { entryPage, type ShownTime } from './entry-page.ts'
import { homePage } from './home-page.ts'
import type { Link, SiteIdentity } from './layout.ts'
import { pageReply } from './page-cache.ts'
import { findAuthorName, type ListedPost, listMenuPages, listPosts } from './public-entries.ts'

const siteCsp =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' https: data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"

const shared = { 'referrer-policy': 'strict-origin-when-cross-origin', 'cache-control': 'no-cache', vary: 'accept' }
export const htmlHeaders = { ...shared, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': siteCsp }
const markdownHeaders = {
  ...shared,
  'content-type': 'text/markdown; charset=utf-8',
  'content-security-policy': "default-src 'none'; sandbox",
}

/** The site, and the address by which the client requested it. */
export interface Frame {
  readonly site: Services
  /** Without a slash at the end. */
  readonly origin: string
}

/** The page of an entry as HTML. @throws Failure `unprocessable` where its text can't be rendered in time */
export async function entryReply(frame: Frame, entry: EntryRow): Promise<Reply> {
  const { site, origin } = frame
  const { html: rendered, text } = await site.renderer.render(entry.body)
  const { html, whole } = await filteredEntry(site, entry, rendered)
  const seo = toSeo(entry.seo)
  const view = {
    type: entryTypeOf(entry.type),
    title: entry.title,
    html,
    canonical: seo.canonical ?? origin + (entry.path ?? '/'),
    description: seo.description ?? entry.excerpt ?? excerptOf(text, 200),
    published: shownTime(site, entry.published_at),
    author: await findAuthorName(site.store.read, entry.author_id),
    noindex: seo.noindex,
  }
  const page = entryPage({ site: identityOf(frame), entry: view, menu: await menuOf(frame, entry.path) })
  const { id, type, title, path } = entry
  return filteredPage(site, page, { path: path ?? '/', entry: { id, type, title, path } }, whole)
}

/** Passes a document through the plugins' filters. If a filter fails, the page is not cached and the next request tries again. */
async function filteredPage({ plugins }: Services, page: string, about: FilterAbout, whole: boolean): Promise<Reply> {
  const filtered = await plugins.filter('page.html', page, about)
  const headers = whole && filtered.whole ? htmlHeaders : { ...htmlHeaders, 'cache-control': 'no-store' }
  return pageReply(200, filtered.text, headers)
}

/** An entry as Markdown, with front matter. */
export function entryMarkdown({ origin }: Frame, entry: EntryRow): Reply {
  return pageReply(200, formatFrontMatter(pageFrontMatter(entry, origin), entry.body), markdownHeaders)
}

/** The home page with the latest posts, where no entry is the home page. `page` counts from 1; undefined beyond the last page. */
export async function homeReply(frame: Frame, page: number): Promise<Reply | undefined> {
  const { site, origin } = frame
  const limit = site.settings.values.posts_per_page
  const found = await listPosts(site.store.read, limit, (page - 1) * limit, site.clock.now())
  if (page > 1 && found.length === 0) return undefined
  const posts = found.slice(0, limit).map((post) => ({
    title: post.title,
    href: origin + (post.path ?? '/'),
    published: shownTime(site, post.published_at),
    excerpt: excerptOfPost(post),
  }))
  const older = found.length > limit ? `${origin}/?page=${page + 1}` : undefined
  const newer = page > 2 ? `${origin}/?page=${page - 1}` : page === 2 ? `${origin}/` : undefined
  const canonical = page === 1 ? `${origin}/` : `${origin}/?page=${page}`
  const document = homePage({ site: identityOf(frame), canonical, posts, older, newer, menu: await menuOf(frame, '/') })
  return filteredPage(site, document, { path: '/' }, true)
}

/** The same list as Markdown. */
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

/** The facts about the site that every page shows. */
export function identityOf({ site, origin }: Frame): SiteIdentity {
  const { site_title: name, site_tagline: tagline, language } = site.settings.values
  return { name, tagline, language, url: origin }
}

const menuLength = 8

async function menuOf({ site, origin }: Frame, current: string | null): Promise<readonly Link[]> {
  const pages = await listMenuPages(site.store.read, menuLength, site.clock.now())
  return pages.map(({ title, path }) => ({ label: title, href: origin + (path ?? '/'), current: path === current }))
}

/** The excerpt, else the first words of the Markdown. Rendering every post of a list would take too long. */
function excerptOfPost({ excerpt, body }: ListedPost): string {
  return (
    excerpt ??
    excerptOf(
      body
        .slice(0, 2000)
        .replace(/^---[\s\S]*?---/, '')
        .replace(/[#*_`>[\]]|\([^()]*\)|<[^<>]*>/g, ''),
      200,
    )
  )
}

function shownTime({ settings }: Services, at: number | null): ShownTime | undefined {
  if (at === null) return undefined
  const { language, time_zone: timeZone } = settings.values
  return { iso: new Date(at).toISOString(), label: dayFormat(language || 'en', timeZone).format(at) }
}

const dayFormats = new Map<string, Intl.DateTimeFormat>()

/** Making a date format takes longer than making a page, so formats are cached. A site uses one until its language or time zone changes. */
function dayFormat(language: string, timeZone: string): Intl.DateTimeFormat {
  const key = `${language} ${timeZone}`
  const format = dayFormats.get(key) ?? new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone })
  if (dayFormats.size > 10) dayFormats.clear()
  dayFormats.set(key, format)
  return format
}
