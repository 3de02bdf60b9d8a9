// The error page without a theme.

import type { HttpFailure } from '../../http/failure.ts'
import { siteWord } from '../../themes/site-words.ts'
import type { Frame } from './frame.ts'
import { identityOf, messagePage, notFoundPage } from './message-page.ts'
import { wordsOfStatus } from './words.ts'

/**
 * @param path decides the language, and is shown by a 404
 * @param failure supplies the message for a status without translated words
 */
export function failurePage(frame: Frame, status: number, path: string, failure?: HttpFailure): string {
  const site = identityOf(frame, path)
  if (status === 404) return notFoundPage(site, path)
  const values = { count: failure?.retryAfterSeconds ?? 60, reference: failure?.reference }
  // A failure without a reference has no line in the log, so its own message explains it.
  const words = status === 500 && values.reference === undefined ? undefined : wordsOfStatus(status, site.language, values)
  if (words) return messagePage({ site, ...words })
  return messagePage({ site, title: siteWord(site.language, 'failed_title'), message: failure?.message ?? '' })
}
