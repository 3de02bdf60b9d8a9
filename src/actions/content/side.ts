// The side of an entry that a call writes: the entry, or its staged changes. No action may bypass `stage_edits` or `drafts_only`.

import { writesDraftsOnly } from '../../content/entries/allowed.ts'
import { mergeEntry } from '../../content/entries/pending.ts'
import { stageEntry, type StagingRule, timingColumns } from '../../content/entries/stage-entry.ts'
import { changeEntry, type EntryPatch, type WrittenEntry } from '../../content/entries/write-entry.ts'
import { Failure } from '../../base/failure.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { Context, WriteContext } from '../call/action.ts'
import { writingOf } from './writing.ts'
import { flag } from '../../base/schema.ts'

export const stageProperty = flag(
  'Whether the change of a published entry waits for `publish`. The setting `stage_edits`, and a token for drafts only, decide it for the caller. An entry that is not published changes at once.',
)

/** The side of an entry that a call writes. */
export interface Side {
  readonly entry: EntryRow
  /** The row that the call changes: the live row, or the entry with its staged changes. */
  readonly row: EntryRow
  /** The reason for staging: an argument, a limit or a setting; undefined if the change isn't staged. */
  readonly stagedBy: 'caller' | 'limits' | 'setting' | undefined
}

/** @throws Failure `refused` for `stage: false` where the setting `stage_edits` is on */
export async function sideOf(context: Context, entry: EntryRow, stage: boolean | undefined): Promise<Side> {
  const stagedBy = stagingOf(context, entry, stage)
  return { entry, row: stagedBy === undefined ? entry : (await mergeEntry(context.db, entry)).row, stagedBy }
}

function stagingOf({ caller, site }: Context, entry: EntryRow, stage: boolean | undefined): Side['stagedBy'] {
  // Changes that were staged while the entry was public stay staged after it is unpublished.
  if (entry.status !== 'published') return stage === true && entry.staged === 1 ? 'caller' : undefined
  if (site.settings.values.stage_edits && stage === false)
    throw new Failure('refused', 'On this site, edits of published entries wait until a person publishes them.', {
      field: 'stage',
      rule: 'setting stage_edits',
      hint: 'Leave `stage` out, and call SVC_Content.publish. An admin changes the setting.',
    })
  if (stage === true) return 'caller'
  if (stage === undefined && writesDraftsOnly(caller)) return 'limits'
  return site.settings.values.stage_edits ? 'setting' : undefined
}

/** Writes columns to a side of an entry. @throws Failure as `changeEntry` and `stageEntry` do */
export async function writeSide(
  context: WriteContext,
  { entry, stagedBy }: Side,
  patch: EntryPatch,
  rule: StagingRule = { whole: true },
): Promise<WrittenEntry & { readonly staged: boolean }> {
  const writing = writingOf(context)
  if (stagedBy === undefined || (stagedBy !== 'caller' && isTimingAlone(entry, patch)))
    return { ...(await changeEntry(writing, entry, patch)), staged: false }
  return { ...(await stageEntry(writing, entry, patch, rule)), staged: true }
}

/** True if only status, dates and the password change. These are never staged. */
function isTimingAlone(entry: EntryRow, patch: EntryPatch): boolean {
  const changed = Object.entries(patch).filter(
    ([column, value]) => value !== undefined && value !== entry[column as keyof EntryRow],
  )
  return changed.length > 0 && changed.every(([column]) => timingColumns.includes(column as never))
}
