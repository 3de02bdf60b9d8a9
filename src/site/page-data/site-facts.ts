// What pages show of the site beside its settings: the logo, and where all posts are. It is kept until something changes that it was read from.

import { readingCaches } from '../../actions/reading-cache.ts'
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

const cacheOf = readingCaches<SiteFacts>({
  maxBytes: 256 * 1024,
  sizeOf: (facts) => 2 * JSON.stringify(facts).length,
})

export const siteFacts = (frame: Frame): Promise<SiteFacts> =>
  cacheOf(frame.site).load(frame.site, frame.origin, (site) => readFacts({ ...frame, site }))

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
