// A page of a public list as data: all posts, or the archive of a term, an author or a period.

import { languageOf, languagesOf } from '../../../content/languages/languages.ts'
import type { Frame } from '../frame.ts'
import type { PublicList } from '../../lists/public-lists.ts'
import { crumbsOf } from './crumbs.ts'
import type { MadePage } from './entry-page.ts'
import { feedLinks, iconLinks } from './feed-links.ts'
import { headOf } from './head.ts'
import { pageOf } from './page.ts'
import { siteObjects } from './structured.ts'
import { summariesOf } from './summaries.ts'

/** The path of a page of a list: `/posts`, `/posts/page/2`. */
export const pathOfPage = (path: string, page: number): string => (page === 1 ? path : `${path}/page/${page}`)

/** @param number counts from 1. Undefined beyond the last page */
export async function listPageData(frame: Frame, list: PublicList, number: number): Promise<MadePage | undefined> {
  const { site, origin } = frame
  const { posts_per_page: limit, site_title: siteTitle } = site.settings.values
  const rows = await list.rows({ which: 'titled', limit, offset: (number - 1) * limit })
  if (number > 1 && rows.length === 0) return undefined
  const language = languageOf(languagesOf(site.settings.values), list.branch) || 'en'
  const { entries, whole } = await summariesOf(frame, rows.slice(0, limit), language)
  const canonical = origin + pathOfPage(list.path, number)
  const indexed = frame.preview === undefined && entries.length > 0
  const older = rows.length > limit ? origin + pathOfPage(list.path, number + 1) : null
  const newer = number > 1 ? origin + pathOfPage(list.path, number - 1) : null
  const crumbs = await crumbsOf(frame, list.path, list.branch)
  const page = pageOf(list.of ? 'archive' : 'list', {
    title: list.title,
    url: indexed ? canonical : null,
    description: list.description,
    head: headOf({
      title: list.title,
      siteTitle,
      description: list.description ?? undefined,
      canonical: indexed ? canonical : undefined,
      kind: 'website',
      links: [...feedLinks(frame, list.branch, list), ...iconLinks(frame)],
      structured: siteObjects(frame, { crumbs, title: list.title, url: canonical }),
    }),
    crumbs,
    language,
    entries,
    paging: older === null && newer === null ? null : { page: number, pages: null, newer, older },
    ...list.of,
  })
  return { page, whole }
}
