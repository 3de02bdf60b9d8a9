// What the writing actions share: the entry they are about, and what a write of it is part of.

import { getEntry } from '../../../content/entry.ts'
import type { EntryWriting } from '../../../content/write-entry.ts'
import { Failure } from '../../../failure.ts'
import type { EntryRow } from '../../../store/schema.ts'
import type { WriteContext } from '../../action.ts'
import { named } from './named.ts'

/** What a write of an entry is part of, of the call that writes it. */
export function writingOf({ change, caller, site }: WriteContext): EntryWriting {
  return { change, caller, release: site.release }
}

/**
 * The entry that a write is about.
 * @throws Failure `not_found`; `refused` for one in the trash
 */
export async function getWritable(context: WriteContext, id: string): Promise<EntryRow> {
  const row = await getEntry(context.db, named(context, id))
  if (row.status !== 'trash') return row
  throw new Failure('refused', 'This entry is in the trash.', {
    rule: 'nothing in the trash changes',
    hint: 'SVC_Content.restore takes it out, as a draft.',
  })
}
