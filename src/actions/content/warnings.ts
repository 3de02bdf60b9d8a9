// The warnings of a write of an entry, one row each. Findings of the renderer are collected before the transaction, the other
// warnings within it.

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
import { mergeEntry } from '../../content/entries/pending.ts'
import { literalBreaks, titleRepeated } from '../../content/markdown/slips.ts'
import { namesByColumn } from '../../content/types/field-lists.ts'
import { findMaker, isOwnChange, whoChanged } from '../../activity/who.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { Context, WriteContext } from '../call/action.ts'
import { viewerOf } from '../call/viewer.ts'
import { ownWritesOf } from './own-writes.ts'

/**
 * Returns the markup that the public page will leave out, and the notices of the renderer.
 * @throws Failure `too_large` beyond the limit of a body; `unprocessable` for a text that takes too long to render, so that it
 * isn't stored
 */
export async function findingsIn({ site }: Pick<Context, 'site'>, body: string | null | undefined): Promise<Findings> {
  const { formulas } = site.settings.values
  if (body === undefined || body === null || !mayLoseMarkup(checkBody(body), formulas)) return noFindings
  return site.renderer.render(body, { formulas })
}

/**
 * Returns the findings that an edit adds. The text before is rendered only if the new text has findings. @throws Failure as
 * `findingsIn`
 */
export async function findingsOfEdit(context: Pick<Context, 'site'>, before: string, after: string): Promise<Findings> {
  const found = await findingsIn(context, after)
  if (found.removed.length === 0 && found.notices.length === 0) return noFindings
  const { formulas } = context.site.settings.values
  return newFindings(await context.site.renderer.render(before, { formulas }), found)
}

/** A finished write of an entry. */
interface Finished {
  readonly context: Pick<WriteContext, 'db' | 'origin' | 'site' | 'caller' | 'now' | 'afterCommit'>
  /** The side that was written, before; undefined for a new entry. */
  readonly before: EntryRow | undefined
  readonly written: WrittenEntry & { readonly staged?: boolean }
  readonly found: Findings
}

type Warns = (write: Finished) => readonly Warning[] | Promise<readonly Warning[]>

/** A warning about the body, if that changed. */
const ofBody =
  (warn: (write: Finished, before: string, after: string) => ReturnType<Warns>): Warns =>
  (write) => {
    const { before, written } = write
    return written.row.body === (before?.body ?? '') ? [] : warn(write, before?.body ?? '', written.row.body)
  }

/** The warnings, in the order of answers. */
const table: readonly Warns[] = [
  ofBody(({ found }) => markupWarnings(found)),
  ofBody(async ({ context: { db, origin } }, _before, body) => altMissing(await undescribedImages(db, body, origin))),
  ofBody((_write, before, after) => bodyShrank(before, after)),
  ofBody((_write, before, after) => literalBreaks(before, after)),
  ({ before, written: { row } }) =>
    row.body === before?.body && row.title === before.title ? [] : titleRepeated(row.title, row.body),
  ({ written: { row, adjustedFrom } }) => slugAdjusted(adjustedFrom, row.slug),
  changesWait,
  changedRecently,
]

/** Returns all warnings of a finished write. @param before the side that was written, before; undefined for a new entry */
export async function warningsOf(
  context: Finished['context'],
  before: EntryRow | undefined,
  written: Finished['written'],
  found: Findings = noFindings,
): Promise<readonly Warning[]> {
  const warnings: Warning[] = []
  for (const warn of table) warnings.push(...(await warn({ context, before, written, found })))
  return warnings
}

/** The warning about staged changes beneath an edit that the entry itself got. */
async function changesWait({ context: { db }, written: { row, changed, staged } }: Finished): Promise<readonly Warning[]> {
  if (row.staged === 0 || staged === true || changed.length === 0) return []
  const { patch, conflicts } = await mergeEntry(db, row)
  const nameOf = (column: string): string => namesByColumn[column] ?? column
  const found = Object.keys(patch).map(nameOf)
  if (found.length === 0) return []
  const both = conflicts.map(({ column }) => nameOf(column))
  const next =
    both.length === 0
      ? 'SVC_Content.publish keeps this edit and adds them, SVC_Content.discard drops them.'
      : `This edit changed ${both.join(', ')} too, so SVC_Content.publish will refuse until one of the two is chosen: SVC_Content.diff with \`from: "live"\` shows both.`
  return [{ code: 'changes_wait', message: `Changes of ${found.join(', ')} wait beneath this edit. ${next}`, found }]
}

const recentMs = 2 * 60_000

/** The warning about a change that somebody else, or another token, made in the last two minutes. */
export async function changedRecently({ context, before, written }: Omit<Finished, 'found'>): Promise<readonly Warning[]> {
  const { db, caller, now, site } = context
  const own = ownWritesOf(site)
  const { row, changed } = written
  if (changed.length > 0 || before === undefined) context.afterCommit(() => own.keep(row, caller))
  // Staged changes leave the time of the entry as it is.
  const isOld = before === undefined || (before.updated_at <= now - recentMs && before.staged === 0)
  if (isOld || changed.length === 0 || own.has(before, caller)) return []
  const last = await findMaker(db, before.id, before.revision)
  if (!last || last.at <= now - recentMs || isOwnChange(last, caller)) return []
  const message = `${whoChanged(last, viewerOf(context), now)} SVC_Content.diff shows that change, if it matters to yours.`
  return [{ code: 'changed_recently', message }]
}
