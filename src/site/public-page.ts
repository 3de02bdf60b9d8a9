// Makes public pages from the database: an entry or the home page, as HTML or as Markdown. page-cache.ts keeps them.

import type { Services } from '../actions/services.ts'
import { shownEntry } from '../actions/shown-entry.ts'
import { embedOrigins, expandEmbeds } from '../content/embeds.ts'
import { pageFrontMatter } from '../content/entry-item.ts'
import { entryTypeOf } from '../content/entry-types.ts'
import { toSeo } from '../content/field-values.ts'
import { formatFrontMatter } from '../content/front-matter.ts'
import { mainLocation } from '../content/menus.ts'
import type { Reply } from '../http/reply.ts'
import type { FilterAbout } from '../plugins/api.ts'
import type { EntryRow } from '../store/schema.ts'
import { entryPage, type ShownTime } from './entry-page.ts'
import { homePage } from './home-page.ts'
import type { Link, SiteIdentity } from './layout.ts'
import { pageReply } from './page-cache.ts'
import type { ThemeMenuItem } from '../themes/contract.ts'
import { menuOf } from './menus.ts'
import { findAuthorName, listPosts } from './public-entries.ts'

/** Frames are for the sites of the table of embeds alone; a frame loads nothing before a click. */
const siteCsp = `default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' https: data:; frame-src 'self' ${embedOrigins.join(' ')}; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'`

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
  const { html, excerpt, whole } = await shownEntry(site, entry, origin)
  const seo = toSeo(entry.seo)
  const given = seo.description ?? entry.excerpt
  const language = entry.locale ?? site.settings.values.language
  const view = {
    type: entryTypeOf(entry.type),
    title: entry.title,
    html: expandEmbeds(html, language),
    canonical: seo.canonical ?? origin + (entry.path ?? '/'),
    description: given === null ? excerpt : await site.excerpts.given(given, language),
    published: shownTime(site, entry.published_at),
    author: await findAuthorName(site.store.read, entry.author_id),
    noindex: seo.noindex,
  }
  const page = entryPage({ site: identityOf(frame), entry: view, menu: await mainMenu(frame, entry.path) })
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
  const listed = found.slice(0, limit)
  const summaries = await site.excerpts.of(listed, site.settings.values.language)
  const posts = listed.map((post, index) => ({
    title: post.title,
    href: origin + (post.path ?? '/'),
    published: shownTime(site, post.published_at),
    excerpt: summaries.texts[index] ?? '',
  }))
  const older = found.length > limit ? `${origin}/?page=${page + 1}` : undefined
  const newer = page > 2 ? `${origin}/?page=${page - 1}` : page === 2 ? `${origin}/` : undefined
  const canonical = page === 1 ? `${origin}/` : `${origin}/?page=${page}`
  const document = homePage({ site: identityOf(frame), canonical, posts, older, newer, menu: await mainMenu(frame, '/') })
  return filteredPage(site, document, { path: '/' }, summaries.whole)
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

/** The main menu as today's layout shows it. */
async function mainMenu(frame: Frame, current: string | null): Promise<readonly Link[]> {
  return (await menuOf(frame, mainLocation, current)).map(toLink)
}

const toLink = ({ label, url, current, items }: ThemeMenuItem): Link => ({ label, href: url, current, items: items.map(toLink) })

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
