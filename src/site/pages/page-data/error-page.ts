// The data of an error page. The page is the same for every path with this failure, so that a scan of paths costs one rendering.

import type { ThemeLink, ThemePage } from '../../../themes/contract.ts'
import type { Frame } from '../frame.ts'
import { homePathOf } from '../alternates.ts'
import { wordsOfStatus } from '../words.ts'
import { headOf } from './head.ts'
import { pageOf } from './page.ts'

/** @param status a status that has words in `words.ts` */
export function errorPageData(
  { site, origin }: Frame,
  status: number,
  language: string,
  suggestions: readonly ThemeLink[] = [],
): ThemePage {
  const { site_title: siteTitle } = site.settings.values
  const { title = siteTitle, message = '' } = wordsOfStatus(status, language) ?? {}
  return pageOf('error', {
    title,
    url: null,
    description: null,
    head: headOf({ title, siteTitle, description: undefined, canonical: undefined, kind: 'website' }),
    crumbs: [{ title: siteTitle, url: origin + homePathOf(site, language) }],
    language,
    status,
    message,
    suggestions,
  })
}
