// The answers and warnings of the writing actions of SVC_Media, and the work after their commits.

import { Failure } from '../../base/failure.ts'
import { limitsOf, type Caller } from '../../identity/caller.ts'
import { findUses } from '../../media/media-rows.ts'
import { treatmentOf } from '../../media/taken-kinds.ts'
import type { MediaRow } from '../../store/core/schema.ts'
import type { WriteContext } from '../call/action.ts'
import { wantVariants } from './make-variants.ts'
import { type WriteWarning, itemAnswer, itemOutput } from '../call/write-answer.ts'
import { leanItem, mediaItem, wholeItem } from './item.ts'

export const maxAltChars = 2000
export const maxCaptionChars = 2000

export const mediaOutput = itemOutput(mediaItem)

/** Returns the answer of a write of one file. */
export async function wrote(context: WriteContext, row: MediaRow, changed: readonly string[], warnings: readonly WriteWarning[]) {
  const uses = context.select ? await findUses(context.db, row) : undefined
  const item = uses ? wholeItem(context, row, uses) : leanItem(context, row)
  const named = changed.map((column) => (column === 'file' ? 'content' : column)).filter((column) => !internal.has(column))
  return itemAnswer(item, named, warnings)
}

const internal: ReadonlySet<string> = new Set(['file_key', 'placeholder', 'earlier', 'sha256', 'path', 'held'])

/** Returns the warnings about an image without a description and about a cleaned SVG. */
export function warningsOf({ kind, alt }: Pick<MediaRow, 'kind' | 'alt'>, cleaned: boolean): WriteWarning[] {
  const isImage = ['picture', 'vector'].includes(treatmentOf(kind))
  return [
    ...(isImage && alt === null ? [altMissing] : []),
    ...(cleaned ? [{ code: 'markup_removed', message: 'Scripts, styles or links to elsewhere were removed from the SVG.' }] : []),
  ]
}

const altMissing: WriteWarning = {
  code: 'alt_missing',
  message:
    'Nobody has described this image yet, for people who can\'t see it: SVC_Media.update {"id", "alt"}. `""` says that it is only decoration.',
}

/** After the commit, makes the variants of an image that has none. */
export function settleAfterwards(context: WriteContext, row: MediaRow): void {
  const { site, afterCommit, caller } = context
  afterCommit(() => {
    // A command ends before a job would. The service finds the image within minutes.
    if (row.deleted_at === null && caller.door !== 'cli') wantVariants(site, row)
  })
}

/** True if a caller may only write drafts. Uploads of such a caller become public only when a public entry uses them. */
export const writesDraftsOnly = (caller: Caller): boolean => limitsOf(caller).some(({ drafts_only: only }) => only === true)

/** @throws Failure `refused` for a file in the trash */
export function checkNotTrashed({ deleted_at: deleted }: MediaRow): void {
  if (deleted !== null)
    throw new Failure('refused', 'This file is in the trash.', {
      rule: 'files in the trash do not change',
      hint: 'SVC_Media.restore takes it out.',
    })
}

/** Puts a file into the trash, or with null takes it out. Files are stored until purge. */
export async function setDeletedAt(context: WriteContext, before: MediaRow, deletedAt: number | null): Promise<void> {
  const { row } = await context.change.update('media', before, { deleted_at: deletedAt })
  settleAfterwards(context, row)
}
