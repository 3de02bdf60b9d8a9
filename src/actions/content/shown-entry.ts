// The rendered text of an entry for visitors: in its language, filtered by plugins, with links to the present paths of entries, and
// with images in their sizes. The public page and `SVC_Content.get` both show it.

import { linkedPaths, relinked } from '../../content/markdown/internal-links.ts'
import { findLinkTargets } from '../../content/markdown/link-targets.ts'
import { mediaIn, withMedia } from '../../content/markdown/media-images.ts'
import type { Rendered } from '../../content/markdown/render.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { filteredEntry } from './filtered-entry.ts'
import { findPageMedia } from '../media/page-media.ts'
import type { Services } from '../call/services.ts'

/** `whole` is false if a plugin failed and was skipped. Such a page is not cached. */
export interface ShownEntry extends Pick<Rendered, 'html' | 'excerpt'> {
  readonly whole: boolean
}

type Parts = Pick<Services, 'clock' | 'plugins' | 'renderer' | 'settings' | 'store'>

async function renderedEntry(site: Parts, entry: EntryRow, origin: string): Promise<ShownEntry> {
  const { formulas, language: usual } = site.settings.values
  const rendered = await site.renderer.render(entry.body, { language: entry.locale ?? usual, origin, formulas })
  const { html, whole } = await filteredEntry(site, entry, rendered.html)
  return { html, excerpt: rendered.excerpt, whole }
}

/** The rendered text before its images get their sizes, as mails need it. @throws Failure as `shownEntry` does */
export async function linkedEntry(site: Parts, entry: EntryRow, origin: string): Promise<ShownEntry> {
  const rendered = await renderedEntry(site, entry, origin)
  const targets = await findLinkTargets(site.store.read, linkedPaths(rendered.html, origin), site.clock.now())
  return { ...rendered, html: relinked(rendered.html, origin, targets) }
}

/**
 * @param origin with the base path, without a slash at the end
 * @throws Failure `unprocessable` for a text that can't be rendered in time
 */
export async function shownEntry(site: Parts, entry: EntryRow, origin: string): Promise<ShownEntry> {
  const rendered = await renderedEntry(site, entry, origin)
  const { html } = rendered
  const now = site.clock.now()
  const [targets, media] = await Promise.all([
    findLinkTargets(site.store.read, linkedPaths(html, origin), now),
    findPageMedia(site.store.read, mediaIn(html, origin), { origin, now }),
  ])
  return { ...rendered, html: withMedia(relinked(html, origin, targets), origin, media) }
}
