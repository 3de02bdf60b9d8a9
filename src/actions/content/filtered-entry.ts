// Runs the filters of plugins on the HTML of an entry. Their result is sanitized like any text, so a plugin can't add markup that
// writers can't add.

import type { EntryRow } from '../../store/core/schema.ts'
import type { Services } from '../call/services.ts'

/** `whole` is false if a plugin failed and was skipped. Such a page is not cached. */
export interface FilteredEntry {
  readonly html: string
  readonly whole: boolean
}

/** Runs the filters `entry.html` on an entry's HTML. @throws Failure as `Renderer.clean` */
export async function filteredEntry(
  { plugins, renderer }: Pick<Services, 'plugins' | 'renderer'>,
  entry: Pick<EntryRow, 'id' | 'type' | 'title' | 'path'>,
  html: string,
): Promise<FilteredEntry> {
  if (!plugins.active.filters.some(({ about }) => about === 'entry.html')) return { html, whole: true }
  const { id, type, title, path } = entry
  const { text, whole } = await plugins.filter('entry.html', html, { path: path ?? '/', entry: { id, type, title, path } })
  return { html: text === html ? html : (await renderer.clean(text, html)).html, whole }
}
