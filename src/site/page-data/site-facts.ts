// What pages show of the site beside its settings: the logo, and where all posts are. It is kept until something of the site changes.

import type { Services } from '../../actions/services.ts'
import { createStandingCache, type StandingCache } from '../../actions/standing-cache.ts'
import { isPublic } from '../../content/entry.ts'
import type { ThemeImage } from '../../themes/contract.ts'
import type { Frame } from '../frame.ts'
import { imagesOf } from './images.ts'

export interface SiteFacts {
  readonly logo: ThemeImage | null
  /** The path of the entry that the setting `posts_page` names, if it is public. */
  readonly posts: string | null
}

/** Where all posts are, unless the owner has chosen a page for them. */
export const postsPath = '/posts'

const caches = new WeakMap<Services, StandingCache<SiteFacts>>()

function cacheOf(site: Services): StandingCache<SiteFacts> {
  const known = caches.get(site)
  if (known) return known
  const made = createStandingCache<SiteFacts>(site.freshness, {
    maxBytes: 256 * 1024,
    sizeOf: (facts) => 2 * JSON.stringify(facts).length,
  })
  caches.set(site, made)
  return made
}

export async function siteFacts(frame: Frame): Promise<SiteFacts> {
  const cache = cacheOf(frame.site)
  return cache.get(frame.origin) ?? (await cache.load(frame.origin, () => readFacts(frame)))
}

async function readFacts(frame: Frame): Promise<SiteFacts> {
  const { site } = frame
  const { logo, posts_page: page } = site.settings.values
  const images = logo === null ? undefined : await imagesOf(frame, [logo])
  const entry = page === null ? undefined : await site.entries.named(page)
  return {
    logo: images?.get(logo ?? '') ?? null,
    posts: entry && isPublic(entry, site.clock.now()) ? entry.path : null,
  }
}
