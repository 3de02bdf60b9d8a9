// The feeds of the site and of each list: `/feed.xml`, `/atom.xml` and `/feed.json`, and the same below the path of a list.

import { languageOf, languagesOf } from '../../content/languages/languages.ts'
import type { Reply } from '../../http/reply.ts'
import { findHomeLanguage, homePathOf } from '../pages/alternates.ts'
import { feedFormats } from './feed-formats.ts'
import type { Frame } from '../pages/frame.ts'
import { pageReply } from '../kept/page-cache.ts'
import { type FeedFile, feedFiles } from '../pages/page-data/feed-links.ts'
import { summariesOf } from '../pages/page-data/summaries.ts'
import { allPosts, findList, type PublicList } from './public-lists.ts'

/** The number of entries in a feed. */
const maxEntries = 20

export async function feedReply(frame: Frame, path: string): Promise<Reply | undefined> {
  const slash = path.lastIndexOf('/')
  const name = path.slice(slash + 1)
  if (!Object.hasOwn(feedFiles, name)) return undefined
  const file = name as FeedFile
  const list = await listOf(frame, path.slice(0, slash))
  return list && makeFeed(frame, list, file)
}

/** @param folder empty for the site, or the path of a language or a list */
async function listOf(frame: Frame, folder: string): Promise<PublicList | undefined> {
  if (folder === '') return allPosts(frame, '/', null)
  const branch = findHomeLanguage(frame.site, folder)
  return branch === undefined ? findList(frame, folder) : allPosts(frame, folder, branch)
}

async function makeFeed(frame: Frame, list: PublicList, file: FeedFile): Promise<Reply> {
  const { site, origin } = frame
  const { site_title: title, site_tagline: tagline } = site.settings.values
  const language = languageOf(languagesOf(site.settings.values), list.branch) || 'en'
  const rows = await list.rows({ which: 'open', limit: maxEntries, offset: 0 })
  const { entries, whole } = await summariesOf(frame, rows.slice(0, maxEntries), language)
  const text = feedFormats[file]({
    title: list.path === homePathOf(site, list.branch) ? title : `${list.title} – ${title}`,
    description: list.description ?? tagline,
    url: origin + list.path,
    self: `${origin}${list.path.replace(/\/$/, '')}/${file}`,
    language,
    entries,
  })
  return pageReply(text, {
    'content-type': `${feedFiles[file]}; charset=utf-8`,
    'cache-control': whole ? 'no-cache' : 'no-store',
    'content-security-policy': "default-src 'none'; sandbox",
  })
}
