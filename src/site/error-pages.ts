// The pages of failures in the active theme. A page is made before the failure is answered and kept until something changes. An answer never waits
// for a theme: where there is no page, the plain one is sent.

import type { Services } from '../actions/services.ts'
import { createStandingCache, type StandingCache } from '../actions/standing-cache.ts'
import { type Frame } from './frame.ts'
import { errorPageData, type ErrorWords } from './page-data/error-page.ts'
import { themed } from './themed.ts'

/** The failures that have a page in the theme. Others happen when the site is in trouble, and a theme would be one more thing that can fail. */
const shown: Readonly<Record<number, ErrorWords>> = {
  403: { title: 'Not for the web', message: 'Files in this folder are never served.' },
  404: {
    title: 'There is no such page',
    message: 'Nothing was found at this address. It may have moved, or the link may be wrong.',
  },
  410: { title: 'This page is gone', message: 'It was here once, and was removed for good.' },
}

const caches = new WeakMap<Services, StandingCache<string>>()

function cacheOf(site: Services): StandingCache<string> {
  const known = caches.get(site)
  if (known) return known
  const made = createStandingCache<string>(site.freshness, { maxBytes: 4 * 1024 ** 2, sizeOf: (html) => 2 * html.length })
  caches.set(site, made)
  return made
}

const keyOf = ({ origin }: Frame, status: number): string => `${status} ${origin}`

/** The page of a failure, if it is ready. */
export const findErrorPage = (frame: Frame, status: number): string | undefined => cacheOf(frame.site).get(keyOf(frame, status))

/** Makes the page of a failure, so that `findErrorPage` has it. It never throws. */
export async function prepareErrorPage(frame: Frame, status: number): Promise<void> {
  const words = shown[status]
  if (!words) return
  try {
    await cacheOf(frame.site).load(keyOf(frame, status), async () => {
      const page = errorPageData(frame, status, words)
      return (await themed(frame, page, undefined, { origin: frame.origin, path: '', page: 1, version: '' })).html
    })
  } catch (failure) {
    frame.site.log.debug('no page for a failure', { status, error: failure })
  }
}
