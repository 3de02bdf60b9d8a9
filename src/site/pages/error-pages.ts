// The error pages of the active theme. An error page is rendered in advance and cached until its inputs change. An answer never
// waits for a theme: if no error page is ready, the plain page is sent.

import { readingCaches } from '../kept/reading-cache.ts'
import { suggestPath } from '../../actions/redirects/suggest-path.ts'
import { urlOf } from '../../content/entries/entry.ts'
import type { ThemeLink } from '../../themes/contract.ts'
import type { Frame } from './frame.ts'
import { findPublicEntry } from '../lists/public-entries.ts'
import { languageOfPath } from './alternates.ts'
import { errorPageData } from './page-data/error-page.ts'
import { themed } from './themed.ts'

/** The statuses that have a page in the theme. Other failures mean that the site is in trouble, and a theme could fail too. */
const shown: readonly number[] = [403, 404, 410]

const cacheOf = readingCaches<string>({ maxBytes: 4 * 1024 ** 2, sizeOf: (html) => 2 * html.length })

const keyOf = ({ site, origin }: Frame, status: number, path: string, suggested?: ThemeLink): string =>
  `${status} ${languageOfPath(site, path)} ${origin} ${suggested ? `${suggested.url} ${suggested.title}` : ''}`

/** Finds the error page, if it is ready. @param path decides the language @param asked the request, for a suggestion */
export function findErrorPage(frame: Frame, status: number, path: string, asked?: object): string | undefined {
  const own = asked && suggestedTo.get(asked)
  const { site } = frame
  const find = (suggested?: ThemeLink) => cacheOf(site).find(site, keyOf(frame, status, path, suggested))
  return (own && find(own)) ?? find()
}

/** The suggestion for each request. Requests with the same suggestion share one page, so that a scan of paths renders few pages. */
const suggestedTo = new WeakMap<object, ThemeLink>()

/**
 * Renders an error page, so that `findErrorPage` finds it. It never throws.
 * @param path decides the language
 * @param asked the request, if the page should suggest another page
 */
export async function prepareErrorPage(frame: Frame, status: number, path: string, asked?: object): Promise<void> {
  if (!shown.includes(status)) return
  try {
    const suggested = asked ? await suggestionFor(frame, path) : undefined
    if (asked && suggested) suggestedTo.set(asked, suggested)
    await cacheOf(frame.site).load(frame.site, keyOf(frame, status, path, suggested), (site) =>
      renderErrorPage({ ...frame, site }, status, path, suggested),
    )
  } catch (failure) {
    frame.site.log.debug('no page for a failure', { status, error: failure })
  }
}

/** Renders an error page that is not cached. @param path decides the language @throws what the theme throws */
export async function renderErrorPage(frame: Frame, status: number, path: string, suggested?: ThemeLink): Promise<string> {
  const page = errorPageData(frame, status, languageOfPath(frame.site, path), suggested ? [suggested] : [])
  return (await themed(frame, page, undefined, { origin: frame.origin, path: '', page: 1, version: '' })).html
}

/** Suggests a public page for a path that was not found (attack 89). */
async function suggestionFor({ site, origin }: Frame, path: string): Promise<ThemeLink | undefined> {
  const now = site.clock.now()
  const found = await suggestPath(site.store.read, path, now)
  const entry = found === null ? undefined : await findPublicEntry(site.store.read, found, now)
  return entry && { title: entry.title, url: urlOf(origin, entry.path ?? '/') }
}
