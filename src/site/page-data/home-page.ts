// The home page as data, where no entry is the home page: the latest posts.

import type { Frame } from '../frame.ts'
import type { MadePage } from './entry-page.ts'
import { headOf } from './head.ts'
import { pageOf } from './page.ts'
import { postsOf } from './posts.ts'

/** @param number counts from 1; undefined beyond the last page */
export async function homePageData(frame: Frame, number: number): Promise<MadePage | undefined> {
  const { site, origin } = frame
  const posts = await postsOf(frame, number)
  if (!posts) return undefined
  const { site_title: title, site_tagline: tagline, language } = site.settings.values
  const canonical = number === 1 ? `${origin}/` : `${origin}/?page=${number}`
  const indexed = frame.preview === undefined
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
    }),
    language: language || 'en',
    entries: posts.entries,
    paging: posts.paging,
  })
  return { page, whole: posts.whole }
}
