// The data of a home page that is not an entry: the latest posts.

import { homePathOf, listHomes } from '../alternates.ts'
import type { Frame } from '../frame.ts'
import type { MadePage } from './entry-page.ts'
import { commentFeedLinks } from '../../comments/comment-feed-links.ts'
import { feedLinks, iconLinks } from './feed-links.ts'
import { headOf } from './head.ts'
import { pageOf, translationsOf } from './page.ts'
import { siteFacts } from './site-facts.ts'
import { siteObjects } from './structured.ts'
import { type PostsPage, postsOf } from './posts.ts'

/** Undefined beyond the last page. */
export async function homePageData(frame: Frame, list: PostsPage): Promise<MadePage | undefined> {
  const { site, origin } = frame
  const posts = await postsOf(frame, list)
  if (!posts) return undefined
  const { site_title: title, site_tagline: tagline, language } = site.settings.values
  const home = origin + homePathOf(site, list.branch)
  const canonical = list.page === 1 ? home : `${home}?page=${list.page}`
  const alternates = list.page === 1 ? listHomes(site, list.branch, origin) : []
  const indexed = frame.preview === undefined
  const { logo, card } = await siteFacts(frame)
  const page = pageOf('home', {
    title,
    url: indexed ? canonical : null,
    description: tagline === '' ? null : tagline,
    head: headOf({
      title,
      siteTitle: title,
      description: tagline,
      canonical: indexed ? canonical : undefined,
      kind: 'website',
      alternates,
      card: card ?? undefined,
      links: [...feedLinks(frame, list.branch), ...commentFeedLinks(frame), ...iconLinks(frame)],
      structured: siteObjects(frame, { crumbs: [], title, url: canonical, logo }),
    }),
    language: list.branch ?? (language || 'en'),
    translations: translationsOf(alternates),
    entries: posts.entries,
    paging: posts.paging,
  })
  return { page, whole: posts.whole }
}
