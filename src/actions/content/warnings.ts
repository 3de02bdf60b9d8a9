// The warnings of a write with a body. Findings of the renderer are collected before the transaction, the other warnings within it.

import { checkBody } from '../../content/entries/entry-text.ts'
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
} from '../../content/markdown/markup.ts'
import { undescribedImages } from '../../content/markdown/undescribed-images.ts'
import type { WrittenEntry } from '../../content/entries/write-entry.ts'
import type { Context } from '../call/action.ts'

/**
 * Returns the markup that the public page will leave out, and the notices of the renderer.
 * @throws Failure `too_large` beyond the limit of a body; `unprocessable` for a text that takes too long to render, so that it
 * isn't stored
 */
export async function findingsIn({ site }: Pick<Context, 'site'>, body: string | null | undefined): Promise<Findings> {
  if (body === undefined || body === null || !mayLoseMarkup(checkBody(body))) return noFindings
  return site.renderer.render(body)
}

/**
 * Returns the findings that an edit adds. The text before is rendered only if the new text has findings. @throws Failure as
 * `findingsIn`
 */
export async function findingsOfEdit(context: Pick<Context, 'site'>, before: string, after: string): Promise<Findings> {
  const found = await findingsIn(context, after)
  if (found.removed.length === 0 && found.notices.length === 0) return noFindings
  return newFindings(await context.site.renderer.render(before), found)
}

/** Returns all warnings of a finished write. */
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
