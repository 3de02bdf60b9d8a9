// Facts about the site for pages, in addition to settings: its pictures, and the path of all posts. They are cached until
// they change.

import { readingCaches } from '../../kept/reading-cache.ts'
import { isPublic } from '../../../content/entries/entry.ts'
import { branchOf, languagePath, languagesOf } from '../../../content/languages/languages.ts'
import { listPublishedGroup } from '../../../content/languages/translations.ts'
import type { ThemeImage } from '../../../themes/contract.ts'
import type { Frame } from '../frame.ts'
import { findCard } from '../../../actions/media/page-media.ts'
import type { Card } from './head.ts'
import { imagesOf } from './images.ts'

export interface SiteFacts {
  readonly logo: ThemeImage | null
  readonly logoDark: ThemeImage | null
  /** The icon, else the logo. */
  readonly icon: ThemeImage | null
  /** The picture in cards of pages without a picture of their own. */
  readonly card: Card | null
  /** The path of the entry that the setting `posts_page` names, if it is public. */
  readonly posts: string | null
  /** The paths of home pages, by the paths of their entries: `/welcome` is at `/`, its translation `/de/willkommen` at `/de`. */
  readonly homes: Readonly<Record<string, string>>
}

const cacheOf = readingCaches<SiteFacts>({
  maxBytes: 256 * 1024,
  sizeOf: (facts) => 2 * JSON.stringify(facts).length,
})

export const siteFacts = (frame: Frame): Promise<SiteFacts> =>
  cacheOf(frame.site).load(frame.site, frame.origin, (site) => readFacts({ ...frame, site }))

async function readFacts(frame: Frame): Promise<SiteFacts> {
  const { site } = frame
  const { logo, logo_dark: dark, site_icon: icon, social_image: social, posts_page: page } = site.settings.values
  const images = await imagesOf(frame, [logo, dark, icon])
  const imageOf = (ref: string | null): ThemeImage | null => images.get(ref ?? '') ?? null
  const media = { origin: frame.origin, now: site.clock.now() }
  const entry = page === null ? undefined : await site.entries.named(page)
  return {
    logo: imageOf(logo),
    logoDark: imageOf(dark),
    icon: imageOf(icon) ?? imageOf(logo),
    card: (social === null ? undefined : await findCard(site.store.read, social, media)) ?? null,
    posts: entry && isPublic(entry, site.clock.now()) ? entry.path : null,
    homes: await readHomes(frame),
  }
}

/** The path of a public entry, which is the home page's if the entry is the home page. */
export const addressIn = ({ homes }: SiteFacts, path: string): string =>
  Object.hasOwn(homes, path) ? (homes[path] ?? path) : path

async function readHomes({ site }: Frame): Promise<SiteFacts['homes']> {
  const { home } = site.settings.values
  const entry = home === null ? undefined : await site.entries.named(home)
  if (!entry) return {}
  const languages = languagesOf(site.settings.values)
  const now = site.clock.now()
  const group = languages.further.length === 0 ? [] : await listPublishedGroup(site.store.read, entry, languages, now)
  const translated = group.flatMap((member) => {
    const { id, path, locale } = member
    const branch = branchOf(languages, locale)
    return id === entry.id || path === null || branch === null || !isPublic(member, now)
      ? []
      : [[path, languagePath(branch)] as const]
  })
  const own = entry.path !== null && isPublic(entry, now) ? [[entry.path, '/'] as const] : []
  return Object.fromEntries([...translated, ...own])
}
