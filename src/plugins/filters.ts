// A text on its way through plugins' filters, one after the other. One that fails is left out: a page is shown without it.

import type { Log } from '../log.ts'
import type { FilterAbout } from './api.ts'
import type { Handle } from './handle.ts'
import type { FilterName } from './registered.ts'

const maxFilteredChars = 4 * 1024 ** 2

/** What came out; `whole` is false where a filter failed and was left out. */
export interface Filtered {
  readonly text: string
  readonly whole: boolean
}

/** Passes a text through these filters, in their order. */
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

/** What a filter makes of a text; undefined where it fails, or answers none. */
async function filterWith(
  { run, plugin }: Handle<FilterName>,
  text: string,
  about: FilterAbout,
  log: Log,
): Promise<string | undefined> {
  try {
    const filtered = await run([text, about])
    if (typeof filtered === 'string' && filtered.length <= maxFilteredChars) return filtered.toWellFormed()
    log.warn('plugin left out of a page: it answered no text', { plugin, path: about.path })
  } catch (error) {
    log.warn('plugin left out of a page', { plugin, path: about.path, error })
  }
  return undefined
}
