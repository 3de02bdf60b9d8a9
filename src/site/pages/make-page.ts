// Finds and renders the content at a path: the home page, an entry, a list, or a redirect to an entry's present path.

import { HttpFailure } from '../../http/failure.ts'
import { redirect, type Reply } from '../../http/reply.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { findHomeLanguage, findTranslatedHome, homePathOf } from './alternates.ts'
import { commentFeedReply } from '../comments/comment-feed.ts'
import { feedReply } from '../lists/feeds.ts'
import type { Frame } from './frame.ts'
import type { LastPages } from '../kept/last-pages.ts'
import type { PageKey } from '../kept/page-cache.ts'
import { findLockedEntry, findPublicEntry, findPublicEntryById } from '../lists/public-entries.ts'
import { lockedReply } from './locked-page.ts'
import { addressIn, siteFacts } from './page-data/site-facts.ts'
import { allPosts, findList, type PublicList } from '../lists/public-lists.ts'
import { entryMarkdown, entryReply, homeMarkdown, homeReply, listMarkdown, listReply } from './public-page.ts'
import { type Asked, redirectReply, redirectTo } from './redirects.ts'
import { rootFileReply } from '../files/root-files.ts'
import { siteFile } from '../files/site-files.ts'

type Place = Omit<PageKey, 'origin'>

/**
 * Makes the page at a path.
 * @param last the last good pages; undefined for a page that is for one visitor
 * @throws HttpFailure `not_found`
 */
export async function makePage(frame: Frame, last: LastPages | undefined, key: Place, asked: Asked): Promise<Reply> {
  const { form, path } = key
  const isHome = path === '/' || (form === 'markdown' && path === '/index')
  const branch = isHome ? null : findHomeLanguage(frame.site, path)
  if (branch !== undefined) return makeHome(frame, last, key, branch)
  const entry = await findPublicEntry(frame.site.store.read, path, frame.site.clock.now())
  if (entry) {
    const address = addressIn(await siteFacts(frame), path)
    if (address !== path)
      return form === 'markdown' ? entryMarkdown(frame, { ...entry, path: address }) : redirectTo(frame, address, asked)
    if (await isPostsPage(frame, entry))
      return listOr404(frame, last, key, { ...allPosts(frame, path, null), title: entry.title })
    return form === 'markdown' ? entryMarkdown(frame, entry) : entryReply(frame, last, entry)
  }
  const locked = await findLockedEntry(frame.site.store.read, path, frame.site.clock.now())
  if (locked) return lockedReply(frame, locked, form)
  const other = (await feedReply(frame, path)) ?? (await commentFeedReply(frame, path))
  if (other) return other
  const list = await makeList(frame, last, key, asked)
  if (list) return list
  const file = (await siteFile(frame, path)) ?? (await rootFileReply(frame.site.store.read, path))
  if (file) return file
  return elsewhere(frame, asked)
}

/** True if all posts are listed at the path of an entry. */
const isPostsPage = async (frame: Frame, { path }: EntryRow): Promise<boolean> =>
  frame.site.settings.values.posts_page !== null && (await siteFacts(frame)).posts === path

/** The page of a list at a path such as `/category/news/page/2`. */
async function makeList(frame: Frame, last: LastPages | undefined, key: Place, asked: Asked): Promise<Reply | undefined> {
  const [, folder = key.path, number = '1'] = /^(.+)\/page\/([2-9]|[1-9]\d{1,5})$/.exec(key.path) ?? []
  const place = { ...key, page: Number(number) }
  const list = (await findList(frame, folder)) ?? (number === '1' ? undefined : await findPostsPage(frame, folder))
  if (list && list.path !== folder) return redirectTo(frame, list.path + asked.path.slice(folder.length), asked)
  return list && listOr404(frame, last, place, list)
}

/** The list at the path of the entry that the setting `posts_page` names. */
async function findPostsPage(frame: Frame, path: string): Promise<PublicList | undefined> {
  const entry = await findPublicEntry(frame.site.store.read, path, frame.site.clock.now())
  return entry && (await isPostsPage(frame, entry)) ? { ...allPosts(frame, path, null), title: entry.title } : undefined
}

async function listOr404(frame: Frame, last: LastPages | undefined, { form, page }: Place, list: PublicList): Promise<Reply> {
  const reply = form === 'markdown' ? await listMarkdown(frame, list, page) : await listReply(frame, last, list, page)
  if (reply) return reply
  throw missingPage()
}

export const missingPage = (): HttpFailure => new HttpFailure('not_found', 'There is no page here.')

/** @param branch the further language whose home page this is, or null */
async function makeHome(frame: Frame, last: LastPages | undefined, { form, page }: Place, branch: string | null): Promise<Reply> {
  const { home } = frame.site.settings.values
  const chosen = home === null ? undefined : await findHome(frame, home, branch)
  if (chosen) {
    const entry = { ...chosen, path: homePathOf(frame.site, branch) }
    return form === 'markdown' ? entryMarkdown(frame, entry) : entryReply(frame, last, entry, branch)
  }
  const list = { branch, page }
  const reply = form === 'markdown' ? await homeMarkdown(frame, list) : await homeReply(frame, last, list)
  if (reply) return reply
  throw missingPage()
}

/** The entry that the setting `home` names by id or path, or its translation into a further language. */
export async function findHome({ site }: Frame, home: string, branch: string | null) {
  const now = site.clock.now()
  const byId = (id: string) => findPublicEntryById(site.store.read, id, now)
  if (branch === null) return home.startsWith('/') ? findPublicEntry(site.store.read, home, now) : byId(home)
  const entry = await site.entries.named(home)
  const translated = entry && (await findTranslatedHome(site, entry, branch))
  return translated && byId(translated.id)
}

/** Redirects to the path without its last slash, to the entry's present path, or to the target of a redirect; otherwise 404. */
async function elsewhere(frame: Frame, asked: Asked): Promise<Reply> {
  const bare = asked.path.replace(/\/$/, '')
  if (bare !== asked.path && findHomeLanguage(frame.site, bare) !== undefined)
    return redirect(301, new URL(frame.origin).pathname.replace(/\/$/, '') + bare, { 'cache-control': 'no-cache' })
  const found = await redirectReply(frame, asked)
  if (found) return found
  throw missingPage()
}
