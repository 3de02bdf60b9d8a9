// The warnings of a write with a body. What only the renderer can tell is found before the transaction; the other warnings are found within it.

import { checkBody } from '../../../content/entry-text.ts'
import {
  altMissing,
  bodyShrank,
  type Findings,
  markupWarnings,
  mayLoseMarkup,
  newFindings,
  noFindings,
  slugAdjusted,
  type Warning,
} from '../../../content/markup.ts'
import { undescribedImages } from '../../../content/undescribed-images.ts'
import type { WrittenEntry } from '../../../content/write-entry.ts'
import type { Context } from '../../action.ts'

/**
 * What the public page will leave out of a text, and what it doesn't understand.
 * @throws Failure `too_large` beyond the limit of a body; `unprocessable` for a text that takes too long to render, so that it isn't stored
 */
export async function findingsIn({ site }: Pick<Context, 'site'>, body: string | null | undefined): Promise<Findings> {
  if (body === undefined || body === null || !mayLoseMarkup(checkBody(body))) return noFindings
  return site.renderer.render(body)
}

/** What an edit adds to the findings in a text. The text as it was is only rendered if there are any. @throws Failure as `findingsIn` */
export async function findingsOfEdit(context: Pick<Context, 'site'>, before: string, after: string): Promise<Findings> {
  const found = await findingsIn(context, after)
  if (found.removed.length === 0 && found.notices.length === 0) return noFindings
  return newFindings(await context.site.renderer.render(before), found)
}

/** All warnings of a finished write. */
export async function warningsOf(
  { db, origin }: Pick<Context, 'db' | 'origin'>,
  before: string,
  { row, adjustedFrom }: WrittenEntry,
  found: Findings = noFindings,
): Promise<readonly Warning[]> {
  if (row.body === before) return slugAdjusted(adjustedFrom, row.slug)
  const images = await undescribedImages(db, row.body, origin)
  return [
    ...markupWarnings(found),
    ...altMissing(images),
    ...bodyShrank(before, row.body),
    ...slugAdjusted(adjustedFrom, row.slug),
  ]
}
