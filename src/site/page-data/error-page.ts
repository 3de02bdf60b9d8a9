// The page of a failure as data. It is the same for every path with this failure, so that a scan of paths costs one rendering.

import type { ThemePage } from '../../themes/contract.ts'
import type { Frame } from '../frame.ts'
import { headOf } from './head.ts'
import { pageOf } from './page.ts'

export interface ErrorWords {
  readonly title: string
  /** A sentence or two. */
  readonly message: string
}

export function errorPageData({ site, origin }: Frame, status: number, { title, message }: ErrorWords): ThemePage {
  const { site_title: siteTitle, language } = site.settings.values
  return pageOf('error', {
    title,
    url: null,
    description: null,
    head: headOf({ title, siteTitle, description: undefined, canonical: undefined, kind: 'website' }),
    crumbs: [{ title: siteTitle, url: `${origin}/` }],
    language: language || 'en',
    status,
    message,
  })
}
