// The warnings of a write that brings a body: what rendering takes out is asked before the transaction, the rest is looked at in it.

import { holdBody } from '../../../content/entry-text.ts'
import { altMissing, bodyShrank, markupRemoved, mayLoseMarkup, slugAdjusted, type Warning } from '../../../content/markup.ts'
import type { Written } from '../../../content/write-entry.ts'
import type { Context } from '../../action.ts'

/**
 * What the public page will leave out of a text.
 * @throws Failure `too_large` for a text that is no body, `unprocessable` for one that takes too long to render, so that none is stored that can't be shown
 */
export async function removedFrom({ site }: Pick<Context, 'site'>, body: string | null | undefined): Promise<readonly string[]> {
  if (body === undefined || body === null || !mayLoseMarkup(holdBody(body))) return []
  return (await site.renderer.render(body)).removed
}

/** All warnings of a write that is done. */
export function warningsOf(before: string, { row, adjustedFrom }: Written, removed: readonly string[]): readonly Warning[] {
  const texts = row.body === before ? [] : [...markupRemoved(removed), ...altMissing(row.body), ...bodyShrank(before, row.body)]
  return [...texts, ...slugAdjusted(adjustedFrom, row.slug)]
}
