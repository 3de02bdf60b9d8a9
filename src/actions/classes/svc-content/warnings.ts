// The warnings of a write with a body. Markup that rendering removes is found before the transaction; the other warnings are found within it.

import { checkBody } from '../../../content/entry-text.ts'
import { altMissing, bodyShrank, markupRemoved, mayLoseMarkup, slugAdjusted, type Warning } from '../../../content/markup.ts'
import type { WrittenEntry } from '../../../content/write-entry.ts'
import type { Context } from '../../action.ts'

/**
 * The markup that the public page will leave out of a text.
 * @throws Failure `too_large` beyond the limit of a body; `unprocessable` for a text that takes too long to render, so that it isn't stored
 */
export async function removedFrom({ site }: Pick<Context, 'site'>, body: string | null | undefined): Promise<readonly string[]> {
  if (body === undefined || body === null || !mayLoseMarkup(checkBody(body))) return []
  return (await site.renderer.render(body)).removed
}

/** All warnings of a finished write. */
export function warningsOf(before: string, { row, adjustedFrom }: WrittenEntry, removed: readonly string[]): readonly Warning[] {
  const texts = row.body === before ? [] : [...markupRemoved(removed), ...altMissing(row.body), ...bodyShrank(before, row.body)]
  return [...texts, ...slugAdjusted(adjustedFrom, row.slug)]
}
