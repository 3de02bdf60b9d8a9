// Passes a text through the filters of plugins, one after the other. A filter that fails is skipped.

import type { Log } from '../base/log.ts'
import type { FilterAbout } from './api.ts'
import type { Handle } from './handle.ts'
import type { FilterName } from './registered.ts'

const maxFilteredChars = 4 * 1024 ** 2

/** The filtered text. `whole` is false if a filter failed and was skipped. */
export interface Filtered {
  readonly text: string
  readonly whole: boolean
}

export async function passThrough(
  filters: readonly Handle<FilterName>[],
  text: string,
  about: FilterAbout,
  log: Log,
): Promise<Filtered> {
  let now = text
  let whole = true
  for (const filter of filters) {
    const filtered = await filterWith(filter, now, about, log)
    if (filtered === undefined) whole = false
    else now = filtered
  }
  return { text: now, whole }
}

/** The text that a filter returns; undefined if it fails, or returns something other than a text. */
async function filterWith(
  { run, plugin }: Handle<FilterName>,
  text: string,
  about: FilterAbout,
  log: Log,
): Promise<string | undefined> {
  try {
    const filtered = await run([text, about])
    if (typeof filtered === 'string' && filtered.length <= maxFilteredChars) return filtered.toWellFormed()
    log.warn('plugin left out of a page: its filter returned no text', { plugin, path: about.path })
  } catch (error) {
    log.warn('plugin left out of a page', { plugin, path: about.path, error })
  }
  return undefined
}
