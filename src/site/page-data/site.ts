// The members of the contract that every page has, whatever its kind: the site, the theme's settings, menus and request.

import type { ThemeData, ThemeImage, ThemePage } from '../../themes/contract.ts'
import type { Theme } from '../../themes/theme.ts'
import { branchOf, languagesOf } from '../../content/languages.ts'
import { homePathOf } from '../alternates.ts'
import { type Frame, rootPathOf } from '../frame.ts'
import { menusOf } from './menus.ts'

/** The data of a page. @param path of the page below the site's address, such as `/about` */
export async function dataOf(frame: Frame, theme: Theme, page: ThemePage, path: string): Promise<ThemeData> {
  const branch = branchOf(languagesOf(frame.site.settings.values), page.language)
  return {
    site: siteOf(frame, branch),
    settings: settingsOf(theme),
    menus: await menusOf(frame, theme, path, branch),
    request: { path, preview: frame.preview !== undefined },
    page,
  }
}

/** @param branch the further language of the page, or null */
export function siteOf({ site, origin }: Frame, branch: string | null): ThemeData['site'] {
  const { site_title: title, site_tagline: tagline, language, time_zone } = site.settings.values
  const prefix = homePathOf(site, branch).replace(/\/$/, '')
  return {
    title,
    tagline,
    url: origin,
    home: rootPathOf(origin) + homePathOf(site, branch).slice(1),
    language: branch ?? (language || 'en'),
    direction: directionOf(branch ?? language),
    time_zone,
    logo: null,
    search: `${origin}/search`,
    posts: `${origin}${prefix}/posts`,
    feed: `${origin}${prefix}/feed.xml`,
  }
}

/** Images are chosen by their address. */
function settingsOf({ manifest, settings }: Theme): ThemeData['settings'] {
  const images = new Set(manifest.settings.filter(({ type }) => type === 'image').map(({ id }) => id))
  return Object.fromEntries(
    Object.entries(settings).map(([id, value]) => [id, images.has(id) && typeof value === 'string' ? bareImage(value) : value]),
  )
}

/** An image of which only the address is known. */
const bareImage = (url: string): ThemeImage => ({
  url,
  alt: '',
  caption: null,
  width: 0,
  height: 0,
  variants: [],
  placeholder: null,
  focus: null,
})

/** `rtl` for languages written from right to left. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return /^(?:ar|arc|dv|fa|he|ks|ps|sd|ug|ur|yi)(?:-|$)/i.test(language) ? 'rtl' : 'ltr'
}
