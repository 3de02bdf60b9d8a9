// Passes the HTML of an entry through the filters of plugins. Their result is sanitized like any text, so a plugin can't put markup on a page
// that writers can't put there.

import type { EntryRow } from '../store/schema.ts'
import type { Services } from './services.ts'

/** `whole` is false where a plugin failed and was skipped. Such a page is not cached. */
export interface FilteredEntry {
  readonly html: string
  readonly whole: boolean
}

/** Passes an entry's HTML through the filters `entry.html`. @throws Failure as `Renderer.clean` */
export async function filteredEntry(
  { plugins, renderer }: Pick<Services, 'plugins' | 'renderer'>,
  entry: Pick<EntryRow, 'id' | 'type' | 'title' | 'path'>,
  html: string,
): Promise<FilteredEntry> {
  if (!plugins.active.filters.some(({ about }) => about === 'entry.html')) return { html, whole: true }
  const { id, type, title, path } = entry
  const { text, whole } = await plugins.filter('entry.html', html, { path: path ?? '/', entry: { id, type, title, path } })
  return { html: text === html ? html : (await renderer.clean(text)).html, whole }
}
