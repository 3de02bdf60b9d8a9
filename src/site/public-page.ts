// Makes public pages from the database: an entry or the home page, as HTML or as Markdown. page-cache.ts keeps them.

import type { Services } from '../actions/services.ts'
import { shownEntry } from '../actions/shown-entry.ts'
import { embedOrigins, expandEmbeds } from '../content/embeds.ts'
import { pageFrontMatter } from '../content/entry-item.ts'
import { branchOf, languageOf, languagesOf } from '../content/languages.ts'
import { toSeo } from '../content/field-values.ts'
import { formatFrontMatter } from '../content/front-matter.ts'
import { mainLocation } from '../content/menus.ts'
import type { Reply } from '../http/reply.ts'
import type { FilterAbout } from '../plugins/api.ts'
import type { EntryRow } from '../store/schema.ts'
import { type Alternate, homePathOf, listAlternates, listHomes } from './alternates.ts'
import { entryPage, type ShownTime } from './entry-page.ts'
import { homePage } from './home-page.ts'
import type { Link, SiteIdentity } from './layout.ts'
import { pageReply } from './page-cache.ts'
import { menuOf } from './menus.ts'
import type { ThemeMenuItem } from '../themes/contract.ts'
import { type Branch, findAuthorName, listPosts } from './public-entries.ts'

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

/**
 * The page of an entry as HTML.
 * @param homes the home pages of all languages, where the entry is shown as one of them
 * @throws Failure `unprocessable` where its text can't be rendered in time
 */
export async function entryReply(frame: Frame, entry: EntryRow, homes?: readonly Alternate[]): Promise<Reply> {
  const { site, origin } = frame
  const { html, excerpt, whole } = await shownEntry(site, entry, origin)
  const seo = toSeo(entry.seo)
  const given = seo.description ?? entry.excerpt
  const languages = languagesOf(site.settings.values)
  const language = languageOf(languages, entry.locale)
  const view = {
    type: site.types.current.of(entry.type),
    title: entry.title,
    html: expandEmbeds(html, language),
    canonical: seo.canonical ?? origin + (entry.path ?? '/'),
    description: given === null ? excerpt : await site.excerpts.given(given, language),
    published: shownTime(site, entry.published_at, language),
    author: await findAuthorName(site.store.read, entry.author_id),
    noindex: seo.noindex,
    alternates: homes ?? (await listAlternates(site, entry, origin)),
  }
  const menu = await mainMenu(frame, entry.path, branchOf(languages, entry.locale))
  const page = entryPage({ site: identityOf(frame, entry.locale), entry: view, menu })
  const { id, type, title, path } = entry
  return filteredPage(site, page, { path: path ?? '/', entry: { id, type, title, path } }, whole)
}

/** The page of an entry that is not public. Nothing keeps it, and no address of it leaks. @throws Failure as `entryReply` */
export async function previewReply(frame: Frame, entry: EntryRow): Promise<Reply> {
  const page = await entryReply(frame, entry)
  const { etag: _etag, vary: _vary, ...headers } = page.headers
  return {
    ...page,
    headers: {
      ...headers,
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    },
  }
}

/** Passes a document through the plugins' filters. If a filter fails, the page is not cached and the next request tries again. */
async function filteredPage({ plugins }: Services, page: string, about: FilterAbout, whole: boolean): Promise<Reply> {
  const filtered = await plugins.filter('page.html', page, about)
  const headers = whole && filtered.whole ? htmlHeaders : { ...htmlHeaders, 'cache-control': 'no-store' }
  return pageReply(200, filtered.text, headers)
}

/** An entry as Markdown, with front matter. */
export function entryMarkdown({ site, origin }: Frame, entry: EntryRow): Reply {
  return pageReply(200, formatFrontMatter(pageFrontMatter(entry, origin, site.types.current), entry.body), markdownHeaders)
}

/** The page of a list of posts. */
export interface PostsPage {
  /** The further language of the list, or null for the root. */
  readonly branch: string | null
  /** Counts from 1. */
  readonly page: number
}

/** The home page with the latest posts, where no entry is the home page; undefined beyond the last page. */
export async function homeReply(frame: Frame, { branch, page }: PostsPage): Promise<Reply | undefined> {
  const { site, origin } = frame
  const limit = site.settings.values.posts_per_page
  const found = await listPosts(site.store.read, branchIn(site, branch), limit, (page - 1) * limit, site.clock.now())
  if (page > 1 && found.length === 0) return undefined
  const listed = found.slice(0, limit)
  const language = branch ?? site.settings.values.language
  const summaries = await site.excerpts.of(listed, language)
  const posts = listed.map((post, index) => ({
    title: post.title,
    href: origin + (post.path ?? '/'),
    published: shownTime(site, post.published_at, language),
    excerpt: summaries.texts[index] ?? '',
  }))
  const home = origin + homePathOf(site, branch)
  const older = found.length > limit ? `${home}?page=${page + 1}` : undefined
  const newer = page > 2 ? `${home}?page=${page - 1}` : page === 2 ? home : undefined
  const document = homePage({
    site: identityOf(frame, branch),
    canonical: page === 1 ? home : `${home}?page=${page}`,
    posts,
    older,
    newer,
    menu: await mainMenu(frame, homePathOf(site, branch), branch),
    alternates: page === 1 ? listHomes(site, branch, origin) : [],
  })
  return filteredPage(site, document, { path: homePathOf(site, branch) }, summaries.whole)
}

/** The same list as Markdown. */
export async function homeMarkdown({ site, origin }: Frame, { branch, page }: PostsPage): Promise<Reply> {
  const { site_title: title, site_tagline: tagline, posts_per_page: limit } = site.settings.values
  const found = await listPosts(site.store.read, branchIn(site, branch), limit, (page - 1) * limit, site.clock.now())
  const lines = found.slice(0, limit).map((post) => `- [${post.title.replace(/[[\]\\]/g, '\\$&')}](${origin}${post.path ?? '/'})`)
  const url = origin + homePathOf(site, branch)
  return pageReply(
    200,
    formatFrontMatter({ title, url }, [tagline, lines.join('\n')].filter((part) => part !== '').join('\n\n')),
    markdownHeaders,
  )
}

/** The facts about the site that every page shows. @param locale of the entry or list that the page shows */
export function identityOf({ site, origin }: Frame, locale: string | null = null): SiteIdentity {
  const { site_title: name, site_tagline: tagline } = site.settings.values
  const language = languageOf(languagesOf(site.settings.values), locale)
  return { name, tagline, language, url: origin, home: homePathOf(site, locale) }
}

const branchIn = ({ settings }: Services, branch: string | null): Branch => ({ languages: languagesOf(settings.values), branch })

/** The main menu as today's layout shows it. @param current the path of this page */
export async function mainMenu(frame: Frame, current: string | null, branch: string | null): Promise<readonly Link[]> {
  return (await menuOf(frame, mainLocation, current, branch)).map(toLink)
}

const toLink = ({ label, url, current, items }: ThemeMenuItem): Link => ({ label, href: url, current, items: items.map(toLink) })

function shownTime({ settings }: Services, at: number | null, language: string): ShownTime | undefined {
  if (at === null) return undefined
  const { time_zone: timeZone } = settings.values
  return { iso: new Date(at).toISOString(), label: dayFormat(language || 'en', timeZone).format(at) }
}

const dayFormats = new Map<string, Intl.DateTimeFormat>()

/** Making a date format takes longer than making a page, so formats are cached. A site uses one per language. */
function dayFormat(language: string, timeZone: string): Intl.DateTimeFormat {
  const key = `${language} ${timeZone}`
  const format = dayFormats.get(key) ?? new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone })
  if (dayFormats.size > 100) dayFormats.clear()
  dayFormats.set(key, format)
  return format
}
