// Makes public pages: an entry or the home page, as HTML in the active theme, or as Markdown. `page-cache.ts` caches them.

import type { SettingsServices } from '../../actions/call/services.ts'
import { sitePolicy } from '../../themes/site-policy.ts'
import { urlOf } from '../../content/entries/entry.ts'
import { pageFrontMatter } from '../../content/entries/entry-item.ts'
import { frontMatter } from '../../content/entries/file-form.ts'
import { liveRevision } from '../../content/entries/pending.ts'
import type { Reply } from '../../http/reply.ts'
import type { FilterAbout } from '../../plugins/api.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { withCountingImage } from '../count-view.ts'
import { versionOfComments } from '../comments/comments-data.ts'
import { webmentionEndpoint } from '../comments/webmention-address.ts'
import { homePathOf, listHomes } from './alternates.ts'
import type { Frame } from './frame.ts'
import type { LastPages } from '../kept/last-pages.ts'
import { pageReply } from '../kept/page-cache.ts'
import { entryPageData, type MadePage } from './page-data/entry-page.ts'
import { listPageData, pathOfPage } from './page-data/list-page.ts'
import { homePageData } from './page-data/home-page.ts'
import { type PostsPage, postsOf } from './page-data/posts.ts'
import type { ListedPost } from '../lists/public-entries.ts'
import { allPosts, type PublicList } from '../lists/public-lists.ts'
import { themed } from './themed.ts'

const shared = { 'referrer-policy': 'strict-origin-when-cross-origin', 'cache-control': 'no-cache', vary: 'accept' }
export const htmlHeaders = {
  ...shared,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': sitePolicy([]),
  // This header cuts a page's scripts off from the windows that they open. The consent page can't have it, because the app that
  // opened it in a pop-up waits for it. Answers with `sandbox` can't either, because browsers refuse both together.
  'cross-origin-opener-policy': 'same-origin',
}

/** The headers of a page in a theme, which the owner's settings may widen. */
function pageHeaders({ settings }: SettingsServices): Readonly<Record<string, string>> {
  const { allowed_sources: sources, cache_seconds: seconds } = settings.values
  if (sources.length === 0 && seconds === 0) return htmlHeaders
  const kept = `public, max-age=0, s-maxage=${seconds}, stale-while-revalidate=${seconds}`
  return {
    ...htmlHeaders,
    'content-security-policy': sitePolicy(sources),
    'cache-control': seconds === 0 ? shared['cache-control'] : kept,
  }
}

const markdownHeaders = {
  ...shared,
  'content-type': 'text/markdown; charset=utf-8',
  'content-security-policy': "default-src 'none'; sandbox",
}

/**
 * The page of an entry as HTML.
 * @param homeOf the further language whose home page the entry is, or null for the root; undefined if it is no home page
 * @throws Failure `unprocessable` if its text can't be rendered in time
 */
export async function entryReply(
  frame: Frame,
  last: LastPages | undefined,
  entry: EntryRow,
  homeOf?: string | null,
): Promise<Reply> {
  const { id, type, title, path } = entry
  const isHome = homeOf !== undefined
  const posts = isHome ? await postsOf(frame, { branch: homeOf, page: 1 }) : undefined
  const homes = isHome ? listHomes(frame.site, homeOf, frame.origin) : undefined
  const made = await entryPageData(frame, entry, { home: posts?.entries, homes })
  const about = { path: path ?? '/', entry: { id, type, title, path } }
  const version = `${id} ${liveRevision(entry)} ${versionOfComments(made.page.entry?.comments ?? null)}`
  const reply = await themedReply(frame, last, made, { path: about.path, page: 1, version }, about)
  const endpoint = isHome ? undefined : webmentionEndpoint(frame, entry)
  return endpoint === undefined ? reply : { ...reply, headers: { ...reply.headers, link: `<${endpoint}>; rel="webmention"` } }
}

/**
 * The page of an entry that is not public. It is not cached, and its address does not leak.
 * @param since another state of the entry, for a page with the differences from it
 * @throws Failure as `entryReply`
 */
export async function previewReply(frame: Frame, entry: EntryRow, since?: EntryRow): Promise<Reply> {
  const { id, type, title, path } = entry
  const made = await entryPageData(frame, entry, { preview: true, since })
  const about = { path: path ?? '/', entry: { id, type, title, path } }
  const reply = await themedReply({ ...frame, aside: true }, undefined, made, { path: about.path, page: 1, version: '' }, about)
  const { etag: _etag, vary: _vary, ...headers } = reply.headers
  return { ...reply, headers: { ...headers, ...closedHeaders } }
}

/**
 * The page of an entry for one visitor, who has typed its password or sent a form. Neither caches nor search engines nor the last
 * good pages may have it.
 */
export async function ownReply(frame: Frame, entry: EntryRow): Promise<Reply> {
  const reply = await entryReply(frame, undefined, entry)
  const { etag: _etag, ...headers } = reply.headers
  return { ...reply, headers: { ...headers, ...lockedHeaders } }
}

/** Keeps an answer for one visitor out of all caches and search engines. */
export const lockedHeaders = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' } as const

/** Anyone with the address of a preview can see it, so the address must not leak. */
export const closedHeaders = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
} as const

/** The home page with the latest posts, if no entry is the home page; undefined beyond the last page. */
export async function homeReply(frame: Frame, last: LastPages | undefined, list: PostsPage): Promise<Reply | undefined> {
  const made = await homePageData(frame, list)
  if (!made) return undefined
  // The version of a list includes each entry, so that a stored page never shows an entry that was unpublished.
  const version = made.page.entries.map(({ url, updated }) => `${url} ${updated}`).join('\n')
  const path = homePathOf(frame.site, list.branch)
  return themedReply(frame, last, made, { path, page: list.page, version }, { path })
}

/** A page of a list; undefined beyond the last one. @param page counts from 1 */
export async function listReply(
  frame: Frame,
  last: LastPages | undefined,
  list: PublicList,
  page: number,
): Promise<Reply | undefined> {
  const made = await listPageData(frame, list, page)
  if (!made) return undefined
  const version = made.page.entries.map(({ url, updated }) => `${url} ${updated}`).join('\n')
  return themedReply(frame, last, made, { path: list.path, page, version }, { path: list.path })
}

/** Renders a page. One that a plugin or the theme could not complete is not cached, so the next request tries again. */
async function themedReply(
  frame: Frame,
  last: LastPages | undefined,
  { page, whole }: MadePage,
  facts: { readonly path: string; readonly page: number; readonly version: string },
  about: FilterAbout,
): Promise<Reply> {
  const { html, good } = await themed(frame, page, last, { origin: frame.origin, ...facts })
  const { text, whole: filtered } = await frame.site.plugins.filter('page.html', html, about)
  const headers = pageHeaders(frame.site)
  if (!whole || !good || !filtered) return pageReply(text, { ...headers, 'cache-control': 'no-store' })
  // Postern sees each request for a page that no front keeps.
  const isKept = frame.site.settings.values.cache_seconds > 0 && last !== undefined && !frame.aside
  return pageReply(isKept ? withCountingImage(frame.site, text, frame.origin, facts.path) : text, headers)
}

/** An entry as Markdown, with front matter. */
export async function entryMarkdown({ site, origin }: Frame, entry: EntryRow): Promise<Reply> {
  const { formatFrontMatter } = await frontMatter()
  return pageReply(formatFrontMatter(pageFrontMatter(entry, origin, site.types.current), entry.body), markdownHeaders)
}

/** A page of a list as Markdown; undefined beyond the last one. */
export async function listMarkdown({ site, origin }: Frame, list: PublicList, page: number): Promise<Reply | undefined> {
  const limit = site.settings.values.posts_per_page
  const rows = await list.rows({ which: 'titled', limit, offset: (page - 1) * limit })
  if (page > 1 && rows.length === 0) return undefined
  const matter = { title: list.title, url: origin + pathOfPage(list.path, page) }
  return markdownList(matter, list.description, rows.slice(0, limit), origin)
}

async function markdownList(
  matter: { readonly title: string; readonly url: string },
  about: string | null,
  rows: readonly ListedPost[],
  origin: string,
): Promise<Reply> {
  const { formatFrontMatter } = await frontMatter()
  const lines = rows.map((post) => `- [${post.title.replace(/[[\]\\]/g, '\\$&')}](${urlOf(origin, post.path ?? '/')})`)
  const parts = [about ?? '', lines.join('\n')].filter((part) => part !== '')
  return pageReply(formatFrontMatter(matter, parts.join('\n\n')), markdownHeaders)
}

/** The list of posts as Markdown. */
export async function homeMarkdown(frame: Frame, { branch, page }: PostsPage): Promise<Reply> {
  const { site, origin } = frame
  const { site_title: title, site_tagline: tagline, posts_per_page: limit } = site.settings.values
  const path = homePathOf(site, branch)
  const found = await allPosts(frame, path, branch).rows({ which: 'titled', limit, offset: (page - 1) * limit })
  const url = origin + path
  return markdownList({ title, url }, tagline, found.slice(0, limit), origin)
}
