// The members of the contract that every page has, whatever its kind: the site, the theme's settings, menus and request.

import { postsPath } from '../../../content/types/list-paths.ts'
import type { ThemeData, ThemePage } from '../../../themes/contract.ts'
import { socialLink } from '../../../themes/networks.ts'
import type { Theme } from '../../../themes/theme.ts'
import { branchOf, languagesOf } from '../../../content/languages/languages.ts'
import { dayIn } from '../../../settings/time-zone.ts'
import { homePathOf } from '../alternates.ts'
import { type Frame, rootPathOf } from '../frame.ts'
import { pictureOf } from './author.ts'
import { imagesOf } from './images.ts'
import { searchPath } from './search-page.ts'
import { type SiteFacts, siteFacts } from './site-facts.ts'
import { menusOf } from './menus.ts'

/** The data of a page. @param path of the page below the site's address, such as `/about` */
export async function dataOf(frame: Frame, theme: Theme, page: ThemePage, path: string): Promise<ThemeData> {
  const branch = branchOf(languagesOf(frame.site.settings.values), page.language)
  return {
    site: siteOf(frame, branch, await siteFacts(frame)),
    settings: await settingsOf(frame, theme),
    menus: await menusOf(frame, theme, path, branch),
    request: { path, preview: frame.preview !== undefined && frame.framed !== true },
    page,
  }
}

/** @param branch the further language of the page, or null */
export function siteOf({ site, origin }: Frame, branch: string | null, facts: SiteFacts): ThemeData['site'] {
  const { site_title: title, site_tagline: tagline, site_address, social_links, language, time_zone } = site.settings.values
  const prefix = homePathOf(site, branch).replace(/\/$/, '')
  return {
    title,
    tagline,
    url: origin,
    home: rootPathOf(origin) + homePathOf(site, branch).slice(1),
    language: branch ?? (language || 'en'),
    direction: directionOf(branch ?? language),
    time_zone,
    logo: facts.logo,
    logo_dark: facts.logoDark,
    search: origin + prefix + searchPath,
    posts: origin + (branch === null ? (facts.posts ?? postsPath) : prefix + postsPath),
    feed: `${origin}${prefix}/feed.xml`,
    address: site_address,
    social: social_links.map(socialLink),
    year: Number(dayIn(site.clock.now(), time_zone).slice(0, 4)),
  }
}

/** A setting names an image by the address or by the path or id of a media file. */
async function settingsOf(frame: Frame, { manifest, settings }: Theme): Promise<ThemeData['settings']> {
  const chosen = new Map<string, string>()
  for (const { id, type } of manifest.settings) {
    const value = settings[id]
    if (type === 'image' && typeof value === 'string' && value !== '') chosen.set(id, value)
  }
  if (chosen.size === 0) return settings
  const images = await imagesOf(frame, [...chosen.values()])
  return { ...settings, ...Object.fromEntries([...chosen].map(([id, value]) => [id, pictureOf(frame, value, images)])) }
}

/** `rtl` for languages written from right to left. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return /^(?:ar|arc|dv|fa|he|ks|ps|sd|ug|ur|yi)(?:-|$)/i.test(language) ? 'rtl' : 'ltr'
}
