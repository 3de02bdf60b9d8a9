// The common parts of the writing actions: finding the entry, and the context of a write.

import type { EntryWriting } from '../../content/entries/write-entry.ts'
import { Failure } from '../../base/failure.ts'
import type { RowChange } from '../../store/change/change.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { WriteContext } from '../call/action.ts'
import { getNamed } from './named.ts'

/** The parts of a call that `content/entries/write-entry.ts` needs. */
export function writingOf({ change, caller, site }: WriteContext): EntryWriting {
  return { change, caller, release: site.release, types: site.types.current }
}

/**
 * Returns the entry that a call changes.
 * @throws Failure `not_found`; `refused` for an entry in the trash
 */
export async function getWritable(context: WriteContext, id: string): Promise<EntryRow> {
  const row = await getNamed(context, id)
  if (row.status !== 'trash') return row
  throw new Failure('refused', 'This entry is in the trash.', {
    rule: 'entries in the trash do not change',
    hint: 'SVC_Content.restore takes it out, as a draft.',
  })
}

/** The common part of the declarations of writes to entries. */
export const entryWrite = { object: { kind: 'entry', page: 'editEntry' }, tier: 'content', touches: 'entries' } as const

/** Says that a call published an entry, where it is one that mostly does not. */
export function publishedSummary(records: readonly RowChange[]): string | undefined {
  const [record, ...others] = records.filter(({ kind }) => kind === 'entry')
  if (others.length > 0 || record?.after?.['status'] !== 'published') return undefined
  if (record.before === null) return 'Creates and publishes an entry.'
  return record.before['status'] === undefined ? undefined : 'Changes and publishes an entry.'
}
