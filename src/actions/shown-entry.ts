// The text of an entry as visitors get it: rendered in its language, passed through the filters of plugins, with links that lead to where
// entries are now. The public page and `SVC_Content.get` both show this.

import { linkedPaths, relinked } from '../content/internal-links.ts'
import { findLinkTargets } from '../content/link-targets.ts'
import type { Rendered } from '../content/render.ts'
import type { EntryRow } from '../store/schema.ts'
import { filteredEntry } from './filtered-entry.ts'
import type { Services } from './services.ts'

/** `whole` is false where a plugin failed and was skipped. Such a page is not cached. */
export interface ShownEntry extends Pick<Rendered, 'html' | 'text' | 'excerpt'> {
  readonly whole: boolean
}

type Parts = Pick<Services, 'clock' | 'plugins' | 'renderer' | 'settings' | 'store'>

/**
 * @param origin with the base path, without a slash at the end
 * @throws Failure `unprocessable` for a text that can't be rendered in time
 */
export async function shownEntry(site: Parts, entry: EntryRow, origin: string): Promise<ShownEntry> {
  const language = entry.locale ?? site.settings.values.language
  const rendered = await site.renderer.render(entry.body, { language, origin })
  const { html, whole } = await filteredEntry(site, entry, rendered.html)
  const paths = linkedPaths(html, origin)
  const targets = await findLinkTargets(site.store.read, paths, site.clock.now())
  return { html: relinked(html, origin, targets), text: rendered.text, excerpt: rendered.excerpt, whole }
}
